include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# README.md: all that it shows is typed and compared.
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/transcripts.py ${SOURCE_TREE}/README.md ${WORK}/page ${PREFIX}
                RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed)
  message(FATAL_ERROR "README.md shows something else than what is printed:\n${output}")
endif()

# The page's kernel with this machine's device and generator, and what its targets write.
set(source ${WORK}/page/saxpy)
configure()
run("build" COMMAND ${make})
run("every test of the page" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} OUTPUT
    "saxpy.test .* Passed" "saxpy.coverage .* Passed" "saxpy.mutation .* Passed" "saxpy.schedules .* Passed"
    "saxpy.check .* Passed" "100% tests passed, 0 tests failed out of 5")
run("one kind" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -L mutation OUTPUT "out of 1")
foreach(target IN ITEMS coverage mutation schedules check)
  run("target ${target}" COMMAND ${make} --target ${target})
endforeach()
foreach(file IN ITEMS coverage.html coverage.lcov coverage.xml mutation.html mutation.sarif mutation.xml schedules.html
                      schedules.sarif schedules.xml check.html check.sarif check.xml report.html badge.svg)
  expect_file(${build}/gputest/${file})
endforeach()
