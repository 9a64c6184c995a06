# include(rooms.cmake), with SOURCE_DIR set
#
# The rooms of ARCHITECTURE.md: the rows of its tables whose last column is "may include". A row with a folder as
# `<folder>/` is a room, to which the folders below belong that have no row of their own. Sets
#
#   rooms           their folders, and for each may_<folder>: what its row allows
#   room_folders    the folders of the top level that have the product's code

# CMake's lists give semicolons and brackets a meaning.
file(READ ${SOURCE_DIR}/ARCHITECTURE.md text)
string(REGEX REPLACE "[;[]|]" "," text "${text}")
string(REPLACE "\n" ";" lines "${text}")
set(in_table FALSE)
set(rooms "")
foreach(line IN LISTS lines)
  if(line MATCHES "^[|] folder [|].*[|] may include [|]$")
    set(in_table TRUE)
  elseif(NOT line MATCHES "^[|]")
    set(in_table FALSE)
  elseif(in_table AND line MATCHES "^[|] `([a-z/]+)/` [|].*[|] ([^|]*) [|]$")
    set(room ${CMAKE_MATCH_1})
    set(column "${CMAKE_MATCH_2}")
    if(column MATCHES "^(everything|nothing of it|the public CMake functions|the `gputest` and runtime targets|as its rooms, .*)$")
      continue()
    endif()
    list(APPEND rooms ${room})
    if(column MATCHES "^nothing( of ours)?$")
      set(column "")
    endif()
    string(REPLACE ", " ";" may_${room} "${column}")
    set(may_${room} "${may_${room}}")
  endif()
endforeach()

set(room_folders ${rooms})
list(TRANSFORM room_folders REPLACE "/.*" "")
list(REMOVE_DUPLICATES room_folders)
list(LENGTH rooms count)
if(count LESS 30)
  message(FATAL_ERROR "ARCHITECTURE.md: only ${count} rows of its tables can be read")
endif()
