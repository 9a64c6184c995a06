# cmake -DSOURCE_DIR=… -P includes.cmake
#
# Which folder may include which: the tables in ARCHITECTURE.md (rooms.cmake). Their last column lists rooms,
# single headers, and libraries.

cmake_minimum_required(VERSION 3.25)

set(libraries OpenCL LLVM Clang SQLite libmd Z3 pybind11)
set(problems "")

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)
foreach(room IN LISTS rooms)
  if(NOT IS_DIRECTORY ${SOURCE_DIR}/${room})
    string(APPEND problems "\nARCHITECTURE.md: there is no folder ${room}/")
  endif()
  foreach(may IN LISTS may_${room})
    if(may MATCHES "[.]h$" AND EXISTS ${SOURCE_DIR}/${may})
      continue()
    endif()
    if(NOT may IN_LIST rooms AND NOT may IN_LIST libraries)
      string(APPEND problems "\nARCHITECTURE.md: ${room}/ may include '${may}', which is no room, no header and no library")
    endif()
  endforeach()
endforeach()

# What is built is a room, too.
file(STRINGS ${SOURCE_DIR}/CMakeLists.txt added REGEX "^ *add_subdirectory[(]")
foreach(line IN LISTS added)
  string(REGEX REPLACE "^ *add_subdirectory[(]([a-z]+).*" "\\1" folder "${line}")
  if(NOT folder IN_LIST room_folders AND NOT folder MATCHES "^(tests|examples|benchmarks)$")
    string(APPEND problems "\nARCHITECTURE.md: its tables have no row for ${folder}/")
  endif()
endforeach()

# The room that `path` belongs to.
function(room_of path result)
  while(path AND NOT path IN_LIST rooms)
    cmake_path(GET path PARENT_PATH path)
  endwhile()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

list(JOIN room_folders "|" any_folder)
set(used "")
foreach(folder IN LISTS room_folders)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH path)
    room_of("${path}" room)
    file(STRINGS ${SOURCE_DIR}/${file} includes REGEX "^#include [\"<](${any_folder}|clang|llvm|CL|gputest|embedded)/")
    foreach(include IN LISTS includes)
      if(include MATCHES "CL/cl_half[.]h") # arithmetic, and no OpenCL
        continue()
      endif()
      string(REGEX REPLACE "^#include [\"<](.*)[\">].*$" "\\1" header "${include}")
      string(REGEX REPLACE "^gputest/" "runtime/include/gputest/" header "${header}")
      string(REGEX REPLACE "^embedded/" "templates/" header "${header}") # EmbedText.cmake
      if(header MATCHES "^(clang|llvm|CL)/")
        string(REPLACE "clang" "Clang" from "${CMAKE_MATCH_1}")
        string(REPLACE "llvm" "LLVM" from "${from}")
        string(REPLACE "CL" "OpenCL" from "${from}")
      else()
        cmake_path(GET header PARENT_PATH from)
        room_of("${from}" from)
      endif()
      if(header IN_LIST may_${room})
        list(APPEND used "${room} ${header}")
      elseif(from IN_LIST may_${room})
        list(APPEND used "${room} ${from}")
      elseif(NOT from STREQUAL room)
        string(APPEND problems "\n${file}: ${include}")
      endif()
    endforeach()
    list(REMOVE_DUPLICATES used)
  endforeach()
endforeach()

# What nobody uses would be read as if it were the way.
set(not_looked_at SQLite libmd Z3 pybind11) # their headers have no folder of their own
foreach(room IN LISTS rooms)
  foreach(may IN LISTS may_${room})
    if(NOT may IN_LIST not_looked_at AND NOT "${room} ${may}" IN_LIST used)
      string(APPEND problems "\nARCHITECTURE.md: ${room}/ includes nothing of ${may}")
    endif()
  endforeach()
endforeach()
if(problems)
  message(FATAL_ERROR "Folders include what they may not, or ARCHITECTURE.md says something else:${problems}")
endif()
