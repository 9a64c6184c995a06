# cmake -DSOURCE_DIR=… -P sentinels.cmake
#
# A value that is not there is a std::optional, and a choice is an enumerator. So few comments of headers say what an
# empty text, a null pointer or a 0 stands for. Their number falls: whoever takes one away lowers `allowed`.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(allowed 516)
set(says "//(.*[^A-Za-z0-9_])?([Ee]mpty|[Nn]ull|nullptr|0|-1): ")
set(files "")
foreach(folder IN LISTS room_folders)
  if(NOT folder MATCHES "^(tests|examples|benchmarks|templates)(/|$)")
    file(GLOB_RECURSE of_folder RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h)
    list(APPEND files ${of_folder})
  endif()
endforeach()
list(REMOVE_DUPLICATES files) # rooms inside of rooms
list(FILTER files EXCLUDE REGEX "^cuda/(.*/)?include/") # interfaces of others
set(count 0)
set(all "")
foreach(file IN LISTS files)
  file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "${says}")
  foreach(line IN LISTS lines)
    math(EXPR count "${count} + 1")
    string(APPEND all "${file}: ${line}\n")
  endforeach()
endforeach()
if(count GREATER allowed)
  message(FATAL_ERROR "${all}Sentinels: ${count} comments say what a value without a meaning stands for, and ${allowed} are "
                      "allowed. Make the value a std::optional, or give it a type that says so.")
elseif(count EQUAL 0)
  message(FATAL_ERROR "Sentinels: no comment is found at all: is what this test looks for still right?")
endif()
message("${count} sentinels")
