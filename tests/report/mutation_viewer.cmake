# gputest_private_mutation_viewer(<variable> <folder>)
#
# The path of mutation-test-elements.js, the viewer of mutation-testing reports in npm's package
# mutation-testing-elements, for a test of the page that it makes. Empty if it cannot be had.
#
# The viewer is fetched once into <folder>/viewer. If that fails, it is tried again on another day.
# The environment variable GPUTEST_MUTATION_VIEWER names a file to use instead, or is OFF.
#
# This file is also a script that prints the path: cmake -DFOLDER=… -P mutation_viewer.cmake
cmake_minimum_required(VERSION 3.25)

function(gputest_private_mutation_viewer variable folder)
  set(${variable} "" PARENT_SCOPE)
  if(DEFINED ENV{GPUTEST_MUTATION_VIEWER})
    if(EXISTS "$ENV{GPUTEST_MUTATION_VIEWER}")
      set(${variable} "$ENV{GPUTEST_MUTATION_VIEWER}" PARENT_SCOPE)
    endif()
    return()
  endif()

  set(viewer "${folder}/viewer/mutation-test-elements.js")
  set(failed "${folder}/viewer/failed.txt")
  string(TIMESTAMP today "%Y-%m-%d")
  if(NOT EXISTS "${viewer}")
    if(EXISTS "${failed}")
      file(READ "${failed}" day)
      if(day STREQUAL today)
        return()
      endif()
    endif()
    # Tests run at once: each fetches into a folder of its own, and a rename is atomic.
    string(RANDOM LENGTH 12 unique)
    set(scratch "${folder}/viewer/${unique}")
    file(MAKE_DIRECTORY "${scratch}")
    find_program(GPUTEST_NPM npm)
    if(GPUTEST_NPM)
      execute_process(
        COMMAND "${GPUTEST_NPM}" pack --silent --fetch-retries=0 --fetch-timeout=20000 mutation-testing-elements@3
        WORKING_DIRECTORY "${scratch}" TIMEOUT 60 OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE ignored)
    endif()
    file(GLOB package "${scratch}/mutation-testing-elements-*.tgz")
    if(package)
      execute_process(COMMAND "${CMAKE_COMMAND}" -E tar xzf "${package}" WORKING_DIRECTORY "${scratch}"
                      OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE ignored)
    endif()
    if(EXISTS "${scratch}/package/dist/mutation-test-elements.js")
      file(RENAME "${scratch}/package/dist/mutation-test-elements.js" "${viewer}")
      file(REMOVE "${failed}")
    else()
      file(WRITE "${failed}" "${today}")
    endif()
    file(REMOVE_RECURSE "${scratch}")
  endif()
  if(EXISTS "${viewer}")
    set(${variable} "${viewer}" PARENT_SCOPE)
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  gputest_private_mutation_viewer(viewer "${FOLDER}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${viewer}")
endif()
