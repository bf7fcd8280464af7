# SPDX-License-Identifier: Apache-2.0 OR MIT
# Optional parts of a system that configuring looks for: compiler options, headers, libraries, programs. CMake keeps what it has
# found, and that something is missing, for ever; here it looks again whenever packages have been installed or removed.
#
#   runnel_look_again()      before the first look: forgets what the last run found
#   runnel_have_looked()     after the last one

# Other projects' variables are none of ours.
if(NOT PROJECT_IS_TOP_LEVEL)
  macro(runnel_look_again)
  endmacro()
  macro(runnel_have_looked)
  endmacro()
  return()
endif()

# Ninja and make run CMake again when one of these has become newer: what each system's packages are recorded in, and where
# `make install` of other projects puts things.
foreach(place /var/lib/dpkg/status /var/lib/pacman/local /lib/apk/db/installed /var/lib/rpm/rpmdb.sqlite
        /usr/lib/sysimage/rpm/rpmdb.sqlite /opt/homebrew/Cellar /usr/local/Cellar /usr/local/include /usr/local/lib
        /usr/local/lib/pkgconfig)
  if(EXISTS ${place})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${place})
  endif()
endforeach()

# Entries of the cache that came from looking are those that were not there before: RUNNEL_LOOKED_FOR. Of these a path that
# exists and our own options stay: somebody may have given them with -D.
macro(runnel_look_again)
  if(RUNNEL_LOOKED_FOR)
    set(CMAKE_REQUIRED_QUIET ON) # by ninja, not by a user
  endif()
  foreach(name ${RUNNEL_LOOKED_FOR})
    get_property(kind CACHE ${name} PROPERTY TYPE)
    get_property(value CACHE ${name} PROPERTY VALUE)
    if(kind STREQUAL "INTERNAL" OR value MATCHES "NOTFOUND$"
       OR (IS_ABSOLUTE "${value}" AND NOT EXISTS "${value}" AND NOT name MATCHES "^RUNNEL_"))
      unset(${name} CACHE)
    endif()
  endforeach()
  get_cmake_property(runnel_cached_before CACHE_VARIABLES)
  list(REMOVE_ITEM runnel_cached_before RUNNEL_LOOKED_FOR ${RUNNEL_LOOKED_FOR})
endmacro()

macro(runnel_have_looked)
  get_cmake_property(found CACHE_VARIABLES)
  list(REMOVE_ITEM found ${runnel_cached_before} RUNNEL_LOOKED_FOR)
  set(RUNNEL_LOOKED_FOR "${found}" CACHE INTERNAL "What configuring has looked for")
endmacro()
