include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)
without_opencl()

configure()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("a folder that is no build folder" FAILS COMMAND ${PREFIX}/bin/gputest watch ${source} OUTPUT "is no build folder of CMake")
run("watch" COMMAND ${PYTHON} ${CASE}/watch.py ${PREFIX}/bin/gputest ${source} ${build} OUTPUT "all is well")
