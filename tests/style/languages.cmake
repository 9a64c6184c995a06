# cmake -DSOURCE_DIR=… -P languages.cmake
#
# What is different about a language is in its row (model/language.h) or in a table of ByLanguage. So few places compare
# a language, or ask whether something is CUDA, outside of what reads and runs one language.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(allowed 15)
set(compares "[=!]= *(model::)?Language::|is_cuda[(]|[?] *(model::)?Language::")
set(files "")
foreach(folder IN LISTS room_folders)
  if(folder MATCHES "^(frontend|ir|cuda|tests|examples|benchmarks|templates|cmake|packaging|python)(/|$)")
    continue()
  endif()
  file(GLOB_RECURSE of_folder RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  list(APPEND files ${of_folder})
endforeach()
list(REMOVE_DUPLICATES files) # rooms inside of rooms
list(FILTER files EXCLUDE REGEX "/cuda/|^model/language[.]h$")
set(count 0)
foreach(file IN LISTS files)
  file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "${compares}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "//.*" "" code "${line}")
    if(code MATCHES "${compares}")
      math(EXPR count "${count} + 1")
      message("${file}: ${code}")
    endif()
  endforeach()
endforeach()
if(count GREATER allowed)
  message(FATAL_ERROR "Languages: there are ${count} conditionals on the language, and ${allowed} are allowed. Give the "
                      "language's row a member (model/language.h) that says what is different.")
elseif(count EQUAL 0)
  message(FATAL_ERROR "Languages: no conditional is found at all: is what this test looks for still right?")
endif()
