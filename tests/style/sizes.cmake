# cmake -DSOURCE_DIR=… -P sizes.cmake
#
# A file tells one story, and a folder is read at a glance: at most 450 lines, and at most 25 units. A unit is
# a source with its header.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(most_lines 450)
set(most_units 25)
set(problems "")
set(folders "")
foreach(top IN LISTS room_folders ITEMS tests)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${top}/*.h ${SOURCE_DIR}/${top}/*.cpp
       ${SOURCE_DIR}/${top}/*.c ${SOURCE_DIR}/${top}/*.py)
  foreach(file IN LISTS files)
    if(file MATCHES "^cuda/include/|/__pycache__/") # CUDA says which headers there are, and what is in them
      continue()
    endif()
    file(READ ${SOURCE_DIR}/${file} text)
    string(REGEX MATCHALL "\n" lines "${text}")
    list(LENGTH lines count)
    if(count GREATER most_lines)
      string(APPEND problems "\n${file}: ${count} lines, and ${most_lines} are the most: which is the second story?")
    endif()
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET file STEM LAST_ONLY unit)
    string(MAKE_C_IDENTIFIER "units_${folder}" units)
    list(APPEND ${units} ${unit})
    set(folder_of_${units} ${folder})
    list(APPEND folders ${units})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(units IN LISTS folders)
  list(REMOVE_DUPLICATES ${units})
  list(LENGTH ${units} count)
  if(count GREATER most_units)
    string(APPEND problems "\n${folder_of_${units}}/: ${count} units, and ${most_units} are the most: which of them belong together?")
  endif()
endforeach()
list(LENGTH folders count)
if(count LESS 50)
  string(APPEND problems "\nonly ${count} folders were looked at")
endif()
if(problems)
  message(FATAL_ERROR "Too large:${problems}")
endif()
