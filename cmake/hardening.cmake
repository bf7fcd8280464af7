# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets `hardening`, compiler options for all that comes into a shared library, and `hardening_shared`, options to link it;
# each as far as this compiler has it. Both are empty without RUNNEL_HARDEN and under sanitizers, which do it themselves.
set(hardening)
set(hardening_shared)
if(RUNNEL_HARDEN AND NOT RUNNEL_SANITIZE)
  include(CheckCCompilerFlag)
  include(CheckCSourceCompiles)

  # Landing pads for indirect jumps and calls, and return addresses that are not overwritten. src/arch/common/asm.h follows suit.
  foreach(flag -fstack-protector-strong -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "RUNNEL_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
      list(APPEND hardening ${flag})
    endif()
  endforeach()
  if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE") # which needs optimization
    foreach(flag -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
      list(APPEND hardening $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:${flag}>)
    endforeach()
  endif()

  # All relocations done and read-only before the first call. Without the C library's start files, of which nothing is
  # needed: Debian's have no marks for landing pads, and would take them from all of the library.
  foreach(flags -Wl,-z,relro -Wl,-z,now -nostartfiles)
    string(MAKE_C_IDENTIFIER "RUNNEL_LINKS${flags}" has)
    set(CMAKE_REQUIRED_FLAGS -fPIC)
    set(CMAKE_REQUIRED_LINK_OPTIONS -shared ${flags})
    check_c_source_compiles("int runnel_check(void); int runnel_check(void) { return 0; }" ${has})
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(${has})
      list(APPEND hardening_shared ${flags})
    endif()
  endforeach()
endif()
