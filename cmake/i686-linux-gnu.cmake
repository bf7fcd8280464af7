# SPDX-License-Identifier: Apache-2.0 OR MIT
# For x86 with 32-bit addresses under Linux, with Debian's cross compiler; programs run on a 64-bit kernel as they are.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
