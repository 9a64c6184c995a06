# cmake -DSOURCE_DIR=… -P processes.cmake
#
# Processes are started, waited for and connected in process/ alone, so that what happens when others end one is
# decided once. The folder is listed, too: a call that it has no more is none that this test looks for.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(calls fork posix_spawn posix_spawnp vfork clone waitpid waitid wait3 wait4 socketpair memfd_create popen)
set(wanted fork clone waitpid waitid wait4 socketpair memfd_create)
list(JOIN calls "|" any)
set(found "")
set(problems "")
foreach(folder IN LISTS room_folders)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp ${SOURCE_DIR}/${folder}/*.c
       ${SOURCE_DIR}/${folder}/*.in)
  foreach(file IN LISTS files)
    if(file MATCHES "^cuda/include/")
      continue()
    endif()
    # Calls of the system, and none of a class or namespace.
    file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "(^|[^A-Za-z0-9_:.>])(::)?(${any})[(]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*" "" code "${line}")
      if(NOT code MATCHES "(^|[^A-Za-z0-9_:.>])(::)?(${any})[(]")
        continue()
      endif()
      set(call ${CMAKE_MATCH_3})
      if(folder STREQUAL "process")
        list(APPEND found ${call})
      elseif(code MATCHES "::${call}[(]" OR NOT call STREQUAL "clone") # LLVM's objects have a clone()
        string(APPEND problems "\n${file}: ${call}() belongs into process/ (child.h, command.h, descriptor.h, memory_file.h)")
      endif()
    endforeach()
  endforeach()
endforeach()
foreach(call IN LISTS wanted)
  if(NOT call IN_LIST found)
    string(APPEND problems "\nprocess/ does not call ${call}(): is this test's list of calls still right?")
  endif()
endforeach()
if(problems)
  message(FATAL_ERROR "Processes:${problems}")
endif()
