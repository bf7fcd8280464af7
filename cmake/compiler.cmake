# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets `compiler`, the command with which CMake compiles C here, for programs that ask the compiler while configuring.
separate_arguments(compiler NATIVE_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS}")
list(PREPEND compiler ${CMAKE_C_COMPILER})
if(CMAKE_C_COMPILER_TARGET)
  list(APPEND compiler "--target=${CMAKE_C_COMPILER_TARGET}")
endif()
if(CMAKE_SYSROOT)
  list(APPEND compiler "--sysroot=${CMAKE_SYSROOT}")
endif()
