# SPDX-License-Identifier: Apache-2.0 OR MIT
# For the system and the processor that RUNNEL_ZIG_SYSTEM and RUNNEL_ZIG_PROCESSOR name, in CMake's words. RUNNEL_ZIG_TOOLS is
# the folder of programs that packaging/zig/compiler.py makes for them.
set(CMAKE_SYSTEM_NAME ${RUNNEL_ZIG_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR ${RUNNEL_ZIG_PROCESSOR})
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER ${RUNNEL_ZIG_TOOLS}/cc)
endforeach()
set(CMAKE_CXX_COMPILER ${RUNNEL_ZIG_TOOLS}/c++)
set(CMAKE_AR ${RUNNEL_ZIG_TOOLS}/ar)
set(CMAKE_RANLIB ${RUNNEL_ZIG_TOOLS}/ranlib)
set(CMAKE_RC_COMPILER ${RUNNEL_ZIG_TOOLS}/rc)
# macOS: programs look for the library where they say, and not in the folder that it was built in.
set(CMAKE_INSTALL_NAME_DIR "@rpath")
set(CMAKE_BUILD_WITH_INSTALL_NAME_DIR ON)
set(CMAKE_STRIP "") # the build machine's knows other files only
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RUNNEL_ZIG_SYSTEM RUNNEL_ZIG_PROCESSOR RUNNEL_ZIG_TOOLS)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_DISABLE_FIND_PACKAGE_PkgConfig ON)
