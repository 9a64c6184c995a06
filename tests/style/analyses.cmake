# cmake -DSOURCE_DIR=… -P analyses.cmake
#
# An analysis is a row: few files of the product name all of them, and these are tables. A kind of program has a
# function for each analysis, so its class is such a table, too.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(most 5)
set(names coverage "mutation|mutants" schedules "(^|[^a-z_])check([^a-z_]|$)")
set(naming "")
set(kinds "^program/(kind[.]h|[a-z]+/program[.]cpp)$")
foreach(folder IN LISTS room_folders ITEMS cmake)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp
       ${SOURCE_DIR}/${folder}/*.cmake)
  foreach(file IN LISTS files)
    file(READ ${SOURCE_DIR}/${file} text)
    string(TOLOWER "${text}" text)
    set(all TRUE)
    foreach(name IN LISTS names)
      if(NOT text MATCHES "${name}")
        set(all FALSE)
      endif()
    endforeach()
    if(all AND NOT file MATCHES "${kinds}")
      list(APPEND naming ${file})
    endif()
  endforeach()
endforeach()
list(LENGTH naming count)
if(count GREATER most)
  list(JOIN naming "\n  " readable)
  message(FATAL_ERROR "${count} files name every analysis, and at most ${most} may: read the table (model/analyses.h) "
                      "instead\n  ${readable}")
endif()
