# Which Clang the project is built with is said once, or refused.
include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(project ${CMAKE_COMMAND} -S ${SOURCE_TREE} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
            -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF)
run("a version that is not there" FAILS COMMAND ${project} -DGPUTEST_LLVM_VERSION=99 OUTPUT
    "apt install clang-99 llvm-99-dev libclang-99-dev")
run("the version that is there" COMMAND ${project} -DGPUTEST_LLVM_VERSION=${LLVM} -DClang_DIR=${CLANG_DIR} OUTPUT "GpuTestCheck uses Clang ${LLVM}\\.")
