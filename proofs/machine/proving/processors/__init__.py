# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the instructions of each processor do to a machine."""
