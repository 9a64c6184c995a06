# cmake -DSOURCE_DIR=… -P includes.cmake
#
# Which folder may include which: the table in ARCHITECTURE.md.

cmake_minimum_required(VERSION 3.25)

set(may_model "")
set(may_store model)
set(may_passes model)
set(may_hostgen model)
set(may_report model store)
set(may_runtime model store templates gputest simulator) # of the simulator what both sides share alone
set(may_simulator model passes templates)
set(may_program model store report runtime gputest)
set(may_layer model runtime gputest)
set(may_driver model store passes hostgen report program)

set(problems "")
foreach(folder IN ITEMS model store passes hostgen report runtime simulator program layer driver)
  file(GLOB_RECURSE files ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(STRINGS ${file} includes
         REGEX "^#include [\"<](model|store|passes|hostgen|report|runtime|simulator|program|layer|driver|templates|clang|llvm|CL)/")
    foreach(include IN LISTS includes)
      string(REGEX MATCH "[\"<]([A-Za-z]+)/" ignored "${include}")
      set(from ${CMAKE_MATCH_1})
      if(from STREQUAL folder OR from IN_LIST may_${folder} OR (from STREQUAL "CL" AND folder MATCHES "^(runtime|layer)$")
         OR (from MATCHES "^(clang|llvm)$" AND folder MATCHES "^(passes|simulator)$"))
        if(folder STREQUAL "runtime" AND from STREQUAL "simulator" AND NOT include MATCHES "simulator/(messages|protocol)[.]h")
          string(APPEND problems "\n${file}: ${include}")
        endif()
        continue()
      endif()
      string(APPEND problems "\n${file}: ${include}")
    endforeach()
  endforeach()
endforeach()
if(problems)
  message(FATAL_ERROR "Folders include what they may not (see ARCHITECTURE.md):${problems}")
endif()
