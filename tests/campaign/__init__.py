# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The long runs of the campaign: what they are given (work.py), what runs them (run.py), and the runs themselves (parts/)."""
