# cmake -DSOURCE_DIR=… -P includes.cmake
#
# Which folder may include which: the table in ARCHITECTURE.md. A folder is named by its path; what
# is said of it holds for the folders below that are not named themselves.

cmake_minimum_required(VERSION 3.25)

set(may_model "")
set(may_store model)
set(may_hostgen model)
set(may_report model store)
set(may_frontend model clang llvm)
set(may_passes model frontend clang llvm)
set(may_ir model frontend templates clang llvm)
set(may_simulator model frontend ir templates clang llvm)
set(may_testgen/concolic model frontend ir simulator templates clang llvm)
set(may_testgen/solve model frontend ir simulator testgen/concolic templates clang llvm)

set(may_testgen model frontend passes ir simulator templates runtime/cases runtime/variants testgen/concolic testgen/solve gputest clang llvm)

set(may_memory/model model)
set(may_memory/static model memory/model)
set(may_memory/trace model frontend ir simulator templates memory/model memory/static clang llvm)
set(may_memory/generate model ir memory runtime/cases testgen)
set(may_memory model frontend passes ir simulator runtime/cases gputest clang llvm)

set(may_runtime/cases model gputest)
set(may_runtime/process model store runtime/cases gputest)
set(may_runtime/machine model store runtime/cases runtime/process simulator/service gputest)
set(may_runtime/machine/opencl model runtime/cases runtime/machine gputest CL)
set(may_runtime/variants model templates runtime/cases runtime/process runtime/machine gputest)
set(may_runtime/analyses model store runtime templates gputest)
set(may_runtime/harness model store runtime gputest)
set(may_runtime/api model runtime gputest)
set(may_runtime/include gputest CL)

set(may_program model store report runtime gputest)
set(may_layer model runtime gputest CL)
set(may_cuda model frontend/cuda ir/cuda simulator/cuda simulator/service)
set(may_driver/devices model driver runtime/machine/opencl gputest CL)
set(may_driver model store frontend passes ir hostgen report program testgen memory gputest)

# The longest prefix of `path` for which there is a rule.
function(room_of path result)
  while(path AND NOT DEFINED may_${path})
    cmake_path(GET path PARENT_PATH path)
  endwhile()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

set(problems "")
foreach(folder IN ITEMS model store frontend passes ir hostgen report runtime simulator testgen memory program layer cuda driver)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH path)
    room_of("${path}" room)
    file(STRINGS ${SOURCE_DIR}/${file} includes
         REGEX "^#include [\"<](model|store|frontend|passes|ir|hostgen|report|runtime|simulator|testgen|memory|program|layer|driver|templates|clang|llvm|CL|gputest)/")
    foreach(include IN LISTS includes)
      if(include MATCHES "CL/cl_half[.]h") # arithmetic, and no OpenCL
        continue()
      endif()
      string(REGEX MATCH "[\"<](.+)/[^/]+[\">]" ignored "${include}")
      set(from ${CMAKE_MATCH_1})
      set(allowed FALSE)
      foreach(may IN LISTS may_${room} room)
        if("${from}/" MATCHES "^${may}/")
          set(allowed TRUE)
        endif()
      endforeach()
      if(NOT allowed)
        string(APPEND problems "\n${file}: ${include}")
      endif()
    endforeach()
  endforeach()
endforeach()
if(problems)
  message(FATAL_ERROR "Folders include what they may not (see ARCHITECTURE.md):${problems}")
endif()
