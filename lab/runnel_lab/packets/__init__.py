# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Authenticated packets on a node: what sealing and opening one costs in cycles, memory, bytes on the air, and energy."""
