# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Choose a cipher for a device and its messages: measured figures, cipher-data.json, under the rules that lie in the
same file. The project's page asks and answers the same from the same file."""
