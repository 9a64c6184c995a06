# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A test of CTest for each test case: DISCOVER of gputest_add_kernel(). CTest includes this file
# when it reads the tests of a build folder, through what gputest_private_discover() writes. So
# cases that are new, renamed or gone are noticed without a build. No device is asked.

# gputest_private_discover(<test> <target> <timeout> <labels> <options>)
#
# Lets the test of all cases, which runs them in one process, be the fixture of a test for each
# case.
function(gputest_private_discover test target timeout labels options)
  # The fixture's verdict is that it ran them; theirs are their own.
  set_property(TEST ${test} PROPERTY FIXTURES_SETUP ${test})
  set_property(TEST ${test} PROPERTY PASS_REGULAR_EXPRESSION ": [0-9]+ of [0-9]+ cases passed on ")
  set(file ${CMAKE_BINARY_DIR}/gputest/discover/${test})
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(of_config "")
  if(multi_config)
    set(of_config "-$<CONFIG>")
  endif()
  set(words "")
  foreach(word IN ITEMS "${test}" "$<TARGET_FILE:${target}>" "${timeout}" "${labels}" "${options}")
    string(APPEND words " [==[${word}]==]")
  endforeach()
  file(GENERATE OUTPUT ${file}${of_config}.cmake
       CONTENT "include([==[${CMAKE_CURRENT_FUNCTION_LIST_FILE}]==])
gputest_private_add_discovered(${words})
")
  if(multi_config)
    file(WRITE ${file}.cmake "set(gputest_file [==[${file}]==])
include(\"\${gputest_file}-\${CTEST_CONFIGURATION_TYPE}.cmake\" OPTIONAL)\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file}.cmake)
endfunction()

# gputest_private_list_cases(<variable> <program> <list>)
#
# The JSON of `<program> --list-cases=json`; empty: the program fails. <list> keeps it until the
# program or a file of a case is newer.
function(gputest_private_list_cases variable program list)
  set(is_old TRUE)
  if(EXISTS "${list}" AND NOT "${program}" IS_NEWER_THAN "${list}")
    set(is_old FALSE)
    file(READ "${list}" json)
    string(JSON count ERROR_VARIABLE is_broken LENGTH "${json}")
    if(is_broken OR count EQUAL 0)
      set(is_old TRUE)
    else()
      math(EXPR last "${count} - 1")
      foreach(i RANGE ${last})
        string(JSON file ERROR_VARIABLE has_none GET "${json}" ${i} file)
        if(NOT has_none AND "${file}" IS_NEWER_THAN "${list}")
          set(is_old TRUE)
        endif()
      endforeach()
    endif()
  endif()
  if(is_old)
    execute_process(COMMAND "${program}" --list-cases=json OUTPUT_VARIABLE json ERROR_QUIET
                    RESULT_VARIABLE failed TIMEOUT 60)
    if(failed)
      set(json "")
      file(REMOVE "${list}")
    else()
      file(WRITE "${list}" "${json}")
    endif()
  endif()
  set(${variable} "${json}" PARENT_SCOPE)
endfunction()

# gputest_private_add_discovered(<test> <program> <timeout> <labels> <options>)
#
# For CTest: adds <test>.<case> for each case. A program that is not built has none.
function(gputest_private_add_discovered test program timeout labels options)
  if(NOT EXISTS "${program}")
    return()
  endif()
  get_filename_component(folder "${program}" DIRECTORY)
  gputest_private_list_cases(json "${program}" "${folder}/${test}.cases.json")
  if(json STREQUAL "") # the test says why
    add_test("${test}.cases_that_cannot_be_listed" "${program}" --list-cases)
    set_tests_properties("${test}.cases_that_cannot_be_listed"
                         PROPERTIES LABELS "${labels}" TIMEOUT 60)
    return()
  endif()
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON case GET "${json}" ${i} name)
    string(REGEX REPLACE "[\r\n\t]" " " shown "${case}") # CTest prints a name in one line
    add_test("${test}.${shown}" "${program}" "--case=${case}" --recall ${options})
    set_tests_properties("${test}.${shown}"
                         PROPERTIES FIXTURES_REQUIRED "${test}" SKIP_RETURN_CODE 77
                                    TIMEOUT "${timeout}" LABELS "${labels}")
    string(JSON place ERROR_VARIABLE has_none GET "${json}" ${i} file)
    if(NOT has_none)
      string(JSON line GET "${json}" ${i} line)
      # for explorers of tests
      set_tests_properties("${test}.${shown}" PROPERTIES DEF_SOURCE_LINE "${place}:${line}")
    endif()
  endforeach()
endfunction()
