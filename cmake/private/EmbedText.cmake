# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_embed_text(<target> NAMESPACE <namespace> FILES <text file>…)
#
# Makes text files part of a target at build time. templates/report.css becomes the header
# "embedded/report_css.h", which <target>'s sources can include and which says
#
#   namespace <namespace> { inline constexpr std::string_view report_css = …; }
#
# Every character of the file's name that no C++ identifier can hold becomes "_". The text is taken
# byte for byte, without a first line that names the licence; it must not contain `)gputest"`.
# Touching the file rebuilds its users. This file is also the script that runs at build time: cmake
# -DINPUT=… -DOUTPUT=… -DNAMESPACE=… -DNAME=… -P

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ "${INPUT}" text)
  # The licence of what is generated is the user's own choice (NOTICE); lines keep their numbers.
  string(REGEX REPLACE "^(//|/[*]|<!--) SPDX-License-Identifier:[^\n]*\n" "" text "${text}")
  string(FIND "${text}" ")gputest\"" terminator)
  if(NOT terminator EQUAL -1)
    message(FATAL_ERROR "${INPUT}: contains `)gputest\"`, which ends the C++ string it is embedded "
                        "as; write it otherwise")
  endif()
  cmake_path(GET INPUT FILENAME file_name)
  file(WRITE "${OUTPUT}" "// Generated from ${file_name}.
#pragma once

#include <string_view>

namespace ${NAMESPACE} {

inline constexpr std::string_view ${NAME} = R\"gputest(${text})gputest\";

} // namespace ${NAMESPACE}
")
  return()
endif()

function(gputest_embed_text target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE" "FILES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAMESPACE OR NOT arg_FILES)
    message(FATAL_ERROR "gputest_embed_text(): give <target> NAMESPACE <namespace> FILES <file>…")
  endif()

  foreach(file IN LISTS arg_FILES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET file FILENAME file_name)
    string(MAKE_C_IDENTIFIER "${file_name}" name)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${header} -DNAMESPACE=${arg_NAMESPACE}
              -DNAME=${name} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      DEPENDS ${file} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      COMMENT "Embedding ${file_name}"
      VERBATIM)
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
