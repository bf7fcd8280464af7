# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m runnel: the command line."""

from runnel.cli import main

if __name__ == "__main__":
    main()
