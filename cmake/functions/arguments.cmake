# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_check_arguments(<context> <values of ARGUMENTS> <source>)
#
# Refuses ARGUMENTS that are wrong for every kernel: "n=8 n=9", "n=abc", "data:size=-8"; and
# "n=10.5" where the source has parameters of that name, and the types of all of them are OpenCL's
# or C's names of integers. The host program checks the rest, because it knows the types.
function(gputest_private_check_arguments context specifications source)
  set(buffer_keys size fill values file seed shape channel_order channel_type addressing_mode
      filter_mode normalized_coordinates local output)
  set(buffer_flags local output nullable)
  set(number "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
  set(names "")
  set(before "")
  foreach(specification IN LISTS specifications)
    if(specification MATCHES "^[()]$")
      message(FATAL_ERROR "${context}ARGUMENTS: CMake takes the parentheses of '${before}(…)' "
                          "apart: quote it, as in \"${before}(0,1)\"")
    endif()
    set(before "${specification}")
    if(NOT specification MATCHES "^([A-Za-z_][A-Za-z0-9_]*)([=:])(.+)$")
      gputest_private_misspelt_hint(hint "${specification}")
      message(FATAL_ERROR "${context}ARGUMENTS: '${specification}' is neither name=value nor "
                          "name:size=…,fill=…${hint}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(separator "${CMAKE_MATCH_2}")
    set(value "${CMAKE_MATCH_3}")
    if(name IN_LIST names)
      message(FATAL_ERROR "${context}ARGUMENTS: '${name}' is given twice")
    endif()
    list(APPEND names ${name})
    if(separator STREQUAL "=")
      if(value MATCHES "^[A-Za-z_][A-Za-z0-9_]*$"
         AND NOT value MATCHES "^(true|false|nan|inf|null)$")
        message(FATAL_ERROR "${context}ARGUMENTS: '${specification}': '${value}' is no value; a "
                            "scalar is a number, true, false, nan, inf or -inf, and a "
                            "buffer may be null")
      endif()
      if(value MATCHES "^[-+]?[0-9]*[.][0-9]*[1-9][0-9]*$")
        gputest_private_is_whole(whole "${source}" ${name})
        if(whole)
          message(FATAL_ERROR "${context}ARGUMENTS: '${specification}': '${name}' is a whole "
                              "number (${whole}), and '${value}' is none")
        endif()
      endif()
      continue()
    endif()
    # At commas outside of brackets.
    string(REGEX REPLACE "\\[[^]]*\\]|\\([^)]*\\)|{[^}]*}" "" flat "${value}")
    string(REPLACE "," ";" parts "${flat}")
    foreach(part IN LISTS parts)
      if(part MATCHES "^([a-z_]+)=(.*)$")
        set(key "${CMAKE_MATCH_1}")
        set(value "${CMAKE_MATCH_2}")
        if(NOT key IN_LIST buffer_keys)
          list(JOIN buffer_keys ", " known)
          message(FATAL_ERROR "${context}ARGUMENTS: '${specification}': unknown key '${key}'; "
                              "there are ${known}")
        endif()
        if(key STREQUAL "size" AND value MATCHES "^${number}$" AND NOT value MATCHES "^[0-9]+$")
          message(FATAL_ERROR "${context}ARGUMENTS: '${specification}': size '${value}' is not a "
                              "whole number from 0")
        endif()
      elseif(part MATCHES "^[a-z_]+$" AND NOT part IN_LIST buffer_flags
             AND NOT part MATCHES "^(range|values)$")
        list(JOIN buffer_flags ", " known)
        message(FATAL_ERROR "${context}ARGUMENTS: '${specification}': unknown word '${part}'; "
                            "there are ${known}, and key=value")
      endif()
    endforeach()
  endforeach()
endfunction()

# gputest_private_is_whole(<variable> <source> <name>)
#
# Whether the source has parameters of this name, all of types that are names of integers; the
# result is the first type.
function(gputest_private_is_whole variable source name)
  set(${variable} "" PARENT_SCOPE)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS "${source}")
    return()
  endif()
  file(READ "${source}" text)
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*[ \t\r\n]+(const[ \t\r\n]+)?${name}[ \t\r\n]*[,)]"
         parameters "${text}")
  set(first "")
  foreach(parameter IN LISTS parameters)
    string(REGEX MATCH "^[A-Za-z0-9_]+" type "${parameter}")
    if(NOT type MATCHES "^(u?(char|short|int|long)|unsigned|size_t|ptrdiff_t|u?int(8|16|32|64)_t)$")
      return()
    endif()
    if(first STREQUAL "")
      set(first ${type})
    endif()
  endforeach()
  set(${variable} "${first}" PARENT_SCOPE)
endfunction()
