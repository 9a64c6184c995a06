# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks what a user wrote. Every message begins with the public function's name and says what to do
# next. `context` is "<public function>(): <name>: " throughout.

# gputest_private_check_name(<public function> <name>)
#
# A name is a part of files, targets and tests. Letters, digits and ._+- are allowed in all of them.
function(gputest_private_check_name public_function name)
  if(NOT name MATCHES "^[A-Za-z0-9_][A-Za-z0-9_.+-]*$")
    message(FATAL_ERROR "${public_function}(): '${name}' cannot be a name: use letters, digits and "
                        "._+- only, and begin with a letter, a digit or _")
  endif()
  get_property(known GLOBAL PROPERTY GPUTEST_NAMES)
  if(name IN_LIST known)
    message(FATAL_ERROR "${public_function}(): there is a '${name}' already: names are unique in "
                        "the whole project, choose another")
  endif()
  set_property(GLOBAL APPEND PROPERTY GPUTEST_NAMES ${name})
endfunction()

# gputest_private_check_keywords(<context> <keywords> <given arguments> <unexpected> <missing>)
#
# <unexpected> and <missing> are what cmake_parse_arguments() calls UNPARSED_ARGUMENTS and
# KEYWORDS_MISSING_VALUES. Lists are passed quoted.
function(gputest_private_check_keywords context keywords given unexpected missing)
  list(JOIN keywords ", " readable)
  if(NOT unexpected STREQUAL "")
    list(GET unexpected 0 first)
    gputest_private_meant(hint "${first}" ${keywords})
    message(FATAL_ERROR "${context}'${first}' is not expected here${hint}; the keywords are "
                        "${readable}")
  endif()
  if(NOT missing STREQUAL "")
    list(GET missing 0 first)
    message(FATAL_ERROR "${context}${first} has no value: give it one or leave it out")
  endif()
  foreach(keyword IN LISTS keywords)
    set(times ${given})
    list(FILTER times INCLUDE REGEX "^${keyword}$")
    list(LENGTH times times)
    if(times GREATER 1)
      message(FATAL_ERROR "${context}${keyword} is given ${times} times: give it once, with all "
                          "its values")
    endif()
  endforeach()
endfunction()

# gputest_private_meant(<variable> <word> <name>…)
#
# The text " (did you mean RACES?)" for the name that is most like the word, or nothing: both begin
# and end alike, but for at most two letters.
function(gputest_private_meant variable word)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "" "")
  set(${variable} "" PARENT_SCOPE)
  set(best 0)
  string(LENGTH "${word}" word_length)
  foreach(name IN LISTS given_UNPARSED_ARGUMENTS)
    string(LENGTH "${name}" longest)
    set(shortest ${word_length})
    if(longest LESS shortest)
      set(shortest ${longest})
      set(longest ${word_length})
    endif()
    set(alike 0)
    foreach(length RANGE ${shortest}) # letters at the begin
      string(SUBSTRING "${word}" 0 ${length} of_word)
      string(SUBSTRING "${name}" 0 ${length} of_name)
      if(of_word STREQUAL of_name)
        set(alike ${length})
      endif()
    endforeach()
    string(SUBSTRING "${word}" ${alike} -1 of_word)
    string(SUBSTRING "${name}" ${alike} -1 of_name)
    while(NOT of_word STREQUAL "" AND NOT of_name STREQUAL "") # and at the end
      string(REGEX MATCH ".$" last_of_word "${of_word}")
      string(REGEX MATCH ".$" last_of_name "${of_name}")
      if(NOT last_of_word STREQUAL last_of_name)
        break()
      endif()
      string(REGEX REPLACE ".$" "" of_word "${of_word}")
      string(REGEX REPLACE ".$" "" of_name "${of_name}")
      math(EXPR alike "${alike} + 1")
    endwhile()
    math(EXPR different "${longest} - ${alike}")
    if(different LESS_EQUAL 2 AND alike GREATER best)
      set(best ${alike})
      set(${variable} " (did you mean ${name}?)" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# A value of a keyword with several values may be a misspelt keyword.
function(gputest_private_misspelt_hint variable value)
  set(${variable} "" PARENT_SCOPE)
  if(value MATCHES "^[A-Z][A-Z_]+$")
    set(${variable} " (or is '${value}' a misspelt keyword?)" PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_is_within(<variable> <number> <most>)
#
# Whether a whole number is at most another. CMake itself compares numbers as if they had 53 bits.
function(gputest_private_is_within variable number most)
  string(REGEX REPLACE "^0+([0-9])" "\\1" number "${number}")
  string(LENGTH "${number}" digits)
  string(LENGTH "${most}" most_digits)
  if(digits LESS most_digits OR (digits EQUAL most_digits AND NOT number STRGREATER most))
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_check_numbers(<context> <keyword> <kind> <values>)
#
# kind: SIZE and LIMIT, a whole number from 1; COUNT, a whole number from 0; both of at most 32
# bits. GLOBAL, a whole number from 1 of at most 63 bits. SEED, one from 0 of at most 64. REAL, a
# number from 0; PERCENT, a number from 0 to 100; SECONDS, a number above 0; FACTOR, a number from
# 1. The last three are at most 1000000000. model/settings.h has the same limits.
function(gputest_private_check_numbers context keyword kind values)
  set(real "([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9][0-9]?)?") # a double holds 99 digits
  set(most 4294967295)
  set(largest 1000000000)
  if(kind STREQUAL "GLOBAL")
    set(most 9223372036854775807)
  elseif(kind STREQUAL "SEED")
    set(most 18446744073709551615)
  endif()
  if("${values}" STREQUAL "" AND NOT kind STREQUAL "LIMIT")
    message(FATAL_ERROR "${context}${keyword}: '' is not a number: give one")
  endif()
  foreach(value IN LISTS values)
    gputest_private_misspelt_hint(hint "${value}")
    gputest_private_is_within(within "${value}" ${most})
    set(is_real FALSE)
    if(value MATCHES "^${real}$")
      set(is_real TRUE)
    endif()
    if(kind MATCHES "^(SIZE|LIMIT|GLOBAL)$" AND NOT (value MATCHES "^0*[1-9][0-9]*$" AND within))
      set(wanted "a whole number, at least 1")
    elseif(kind MATCHES "^(COUNT|SEED)$" AND NOT (value MATCHES "^[0-9]+$" AND within))
      set(wanted "a whole number, at least 0")
    elseif(kind STREQUAL "REAL" AND NOT is_real)
      set(wanted "a number, at least 0")
    elseif(kind STREQUAL "PERCENT" AND NOT (is_real AND value LESS_EQUAL 100))
      set(wanted "a percentage, 0 to 100")
    elseif(kind STREQUAL "SECONDS"
           AND NOT (is_real AND value GREATER 0 AND value LESS_EQUAL largest))
      set(wanted "a number of seconds above 0")
    elseif(kind STREQUAL "FACTOR"
           AND NOT (is_real AND value GREATER_EQUAL 1 AND value LESS_EQUAL largest))
      set(wanted "a number, at least 1")
    else()
      continue()
    endif()
    if(NOT is_real) # no number, or below all
    elseif(kind MATCHES "^(SECONDS|FACTOR)$")
      string(APPEND wanted " and at most ${largest}")
    elseif(value MATCHES "^[0-9]+$" AND NOT within)
      string(APPEND wanted " and at most ${most}")
    endif()
    message(FATAL_ERROR "${context}${keyword}: '${value}' is not ${wanted}${hint}")
  endforeach()
endfunction()

# gputest_private_find_file(<variable> <context> <keyword> <file>)
#
# The absolute path of a user's file, which must exist or be a file that the build makes.
function(gputest_private_find_file variable context keyword file)
  if(file MATCHES ";")
    message(FATAL_ERROR "${context}${keyword}: '${file}' has a ; in its name, which CMake cannot "
                        "handle: rename it")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
             OUTPUT_VARIABLE absolute)
  get_source_file_property(generated "${absolute}" GENERATED)
  if(NOT generated AND (NOT EXISTS "${absolute}" OR IS_DIRECTORY "${absolute}"))
    gputest_private_misspelt_hint(hint "${file}")
    message(FATAL_ERROR "${context}${keyword}: there is no file '${absolute}': check the "
                        "path${hint}")
  endif()
  set(${variable} "${absolute}" PARENT_SCOPE)
endfunction()

# gputest_private_find_files(<variable> <context> <keyword> <files and globs>)
#
# The absolute paths of all of them. Every build looks up a glob again.
function(gputest_private_find_files variable context keyword patterns)
  set(all "")
  foreach(pattern IN LISTS patterns)
    if(pattern STREQUAL "")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH pattern BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE absolute)
    if(pattern MATCHES "[][*?]" AND NOT EXISTS "${absolute}")
      file(GLOB found CONFIGURE_DEPENDS LIST_DIRECTORIES false "${absolute}")
      if(NOT found)
        message(FATAL_ERROR "${context}${keyword}: no file matches '${absolute}': check the "
                            "pattern, or leave ${keyword} out")
      endif()
    else()
      gputest_private_find_file(found "${context}" ${keyword} "${pattern}")
    endif()
    list(APPEND all ${found})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

# gputest_private_check_testing(<context>)
function(gputest_private_check_testing context)
  if(NOT CMAKE_TESTING_ENABLED)
    message(FATAL_ERROR "${context}tests are off: call enable_testing() before, in the project's "
                        "top CMakeLists.txt")
  endif()
endfunction()

# gputest_private_timeout(<variable> <context> <value of TIMEOUT, or nothing>)
#
# The seconds of a test. Default: 1500, as long as CTest waits for a test.
function(gputest_private_timeout variable context value)
  if(value STREQUAL "")
    set(value 1500)
  endif()
  gputest_private_check_numbers("${context}" TIMEOUT SECONDS "${value}")
  set(${variable} ${value} PARENT_SCOPE)
endfunction()

# gputest_private_check_project(<context>)
#
# Checks what a project must have set up before: C++ and tests.
function(gputest_private_check_project context)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "${context}the host program is C++: add CXX to the LANGUAGES of project()")
  endif()
  gputest_private_check_testing("${context}")
endfunction()

# gputest_private_check_warp_size(<context> <value of WARP_SIZE, or nothing> <devices>)
function(gputest_private_check_warp_size context size devices)
  if(size STREQUAL "")
    return()
  endif()
  if(NOT size MATCHES "^(32|64)$")
    message(FATAL_ERROR "${context}WARP_SIZE: '${size}' is no size of a warp: give 32 or 64")
  endif()
  if("gpu" IN_LIST devices)
    message(FATAL_ERROR "${context}WARP_SIZE is for the simulator: a GPU has its own")
  endif()
endfunction()

# gputest_private_wants_checked_tests(<variable> <context>)
#
# Whether the user wants tests. If so, the project must have switched them on.
function(gputest_private_wants_checked_tests variable context)
  gputest_private_wants_tests(wanted)
  if(wanted)
    gputest_private_check_testing("${context}")
  endif()
  set(${variable} ${wanted} PARENT_SCOPE)
endfunction()

# gputest_private_wants_tests(<variable>)
#
# Whether the user wants tests. BUILD_TESTING, an option of CMake's module CTest, may be off.
function(gputest_private_wants_tests variable)
  set(${variable} TRUE PARENT_SCOPE)
  if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING AND NOT CMAKE_TESTING_ENABLED)
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()
