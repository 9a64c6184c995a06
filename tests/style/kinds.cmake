# cmake -DSOURCE_DIR=… -P kinds.cmake
#
# A kind of program is a folder and a row (CONTRIBUTING.md, "Add a kind of program"): of the product, the table alone
# includes what is in program/<kind>/. Test cases of launches are OpenCL's alone.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(table driver/program_kinds.cpp)
set(others_opencl driver/run/capture.cpp)
set(problems "")
file(GLOB entries RELATIVE ${SOURCE_DIR}/program ${SOURCE_DIR}/program/*)
foreach(kind IN LISTS entries)
  if(NOT IS_DIRECTORY ${SOURCE_DIR}/program/${kind})
    continue()
  endif()
  set(naming "")
  foreach(folder IN LISTS room_folders)
    file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
    list(FILTER files EXCLUDE REGEX "^program/${kind}/")
    foreach(file IN LISTS files)
      file(STRINGS ${SOURCE_DIR}/${file} includes REGEX "^#include \"program/${kind}/")
      if(includes)
        list(APPEND naming ${file})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_ITEM naming ${others_${kind}})
  if(NOT naming STREQUAL table)
    list(JOIN naming " " readable)
    string(APPEND problems "\nprogram/${kind}/ must be included in ${table} alone, and is in: ${readable}")
  endif()
endforeach()
if(problems)
  message(FATAL_ERROR "${problems}")
endif()
