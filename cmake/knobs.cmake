# SPDX-License-Identifier: Apache-2.0 OR MIT
# A knob is a macro RUNNEL_… that a header gives a default if the compiler's command line has not set it. Contexts and types
# depend on knobs, so a program must see the values that the library was built with: they are written into its config.h.

# Writes `file`, a config.h that fixes all knobs at the values that the compiler has for them with the options that follow:
# given another value, a compiler stops there. Knobs are found in `headers`; each of `folders` has kernels, one of which
# RUNNEL_<FOLDER>_KERNEL may name.
function(runnel_write_config file headers folders)
  set(source "")
  set(knobs "")
  foreach(header ${headers})
    file(STRINGS ${header} lines REGEX "^#ifndef RUNNEL_[A-Z0-9_]+$")
    list(FILTER lines EXCLUDE REGEX "_H$")
    if(lines)
      string(APPEND source "#include \"${header}\"\n")
      string(REPLACE "#ifndef " "" lines "${lines}")
      list(APPEND knobs ${lines})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    endif()
  endforeach()
  foreach(folder ${folders})
    string(TOUPPER ${folder} folder)
    list(APPEND knobs RUNNEL_${folder}_KERNEL)
  endforeach()
  string(APPEND source "#undef RUNNEL_NATURAL_ALIGN\n") # one text for all processors: its name stays, not its value
  foreach(knob ${knobs})
    string(APPEND source "\"${knob}\" ${knob}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${generated}/knobs.c CONTENT "${source}" @ONLY)

  set(options ${ARGN})
  get_directory_property(definitions COMPILE_DEFINITIONS)
  list(TRANSFORM definitions PREPEND -D)
  get_directory_property(more COMPILE_OPTIONS)
  list(APPEND options ${definitions})
  foreach(option ${more})
    string(REGEX REPLACE "^SHELL:" "" option "${option}") # several in one, as CMake itself takes them apart
    separate_arguments(option UNIX_COMMAND "${option}")
    list(APPEND options ${option})
  endforeach()
  list(FILTER options EXCLUDE REGEX "[$]<") # not known while configuring; a knob among them stops the library's build
  execute_process(COMMAND ${compiler} ${CMAKE_C11_STANDARD_COMPILE_OPTION} ${options} -I${PROJECT_SOURCE_DIR}/include
                          -E ${generated}/knobs.c
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The compiler does not tell the values of the library's knobs:\n${errors}")
  endif()

  set(fixed "/* What the library was built with: the sizes of contexts follow from it. */\n")
  foreach(knob ${knobs})
    string(REGEX MATCH "\n *\"${knob}\"([^\n]*)" line "${output}")
    if(NOT line)
      message(FATAL_ERROR "The compiler does not tell the value of ${knob}.")
    endif()
    string(STRIP "${CMAKE_MATCH_1}" value)
    set(definition "#undef ${knob}\n#define ${knob} ${value}\n")
    if(value MATCHES "^RUNNEL_") # it was not set, and there is no default, or one for each processor
      string(APPEND fixed "#ifdef ${knob}\n#error \"the library was built without ${knob}\"\n#endif\n")
    elseif(value MATCHES "^[0-9(]")
      string(APPEND fixed "#if defined(${knob}) && ${knob} != ${value}\n"
                          "#error \"the library was built with ${knob}=${value}\"\n#endif\n${definition}")
    elseif(value STREQUAL "")
      string(APPEND fixed "#undef ${knob}\n#define ${knob}\n")
    else()
      string(APPEND fixed "${definition}")
    endif()
  endforeach()
  file(READ ${PROJECT_SOURCE_DIR}/include/runnel/config.h text)
  string(REPLACE "/*BUILD-VALUES*/" "${fixed}" text "${text}")
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()
