# SPDX-License-Identifier: Apache-2.0 OR MIT
# For z/Architecture under Linux, which is big-endian, with Debian's cross compiler; programs run here under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
