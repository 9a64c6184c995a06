# cmake -DBUILD=… -DWORK=… -DSOURCE_TREE=… -DLLVM=<its folder> -DLIBCLC=<its file> -P test.cmake: the archive for any
# Linux is made, unpacked into a folder with blanks, and used by somebody without a home and, where this machine lets
# one hide folders, without LLVM.
foreach(tool IN ITEMS patchelf zstd dpkg-query g++)
  string(TOUPPER "TOOL_${tool}" variable)
  find_program(${variable} ${tool})
  if(NOT ${variable})
    message("skipped: there is no ${tool}")
    return()
  endif()
endforeach()
file(STRINGS ${BUILD}/CMakeCache.txt libdir REGEX "^CMAKE_INSTALL_LIBDIR:")
if(NOT libdir MATCHES "=lib$")
  message("skipped: there is no GpuTestCheck to install in lib (${libdir})")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
set(tools "${WORK}/my tools")
file(MAKE_DIRECTORY "${tools}" "${WORK}/home" "${WORK}/tmp")
set(ENV{GPUTEST_ARCHIVE_LEVEL} 1)
set(archive_command ${SOURCE_TREE}/packaging/archive.sh)
execute_process(COMMAND ${archive_command} ${BUILD} ${WORK}/made OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND tar -C "${tools}" --zstd -xf ${archive} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB prefix "${tools}/gputestcheck-*-linux-*")

# What a C++ compiler brings is all that is not in the archive.
file(GLOB programs "${prefix}/bin/*" "${prefix}/lib/*.so" "${prefix}/lib/gputest/cuda/bin/gputest-*" "${prefix}/lib/gputest/cuda/lib64/*.so.*"
     "${prefix}/lib/gputest/bundle/lib/*.so*" "${prefix}/lib/gputest/bundle/bin/clang")
set(checked 0)
foreach(program IN LISTS programs)
  execute_process(COMMAND ldd ${program} OUTPUT_VARIABLE libraries ERROR_QUIET RESULT_VARIABLE no_program)
  if(no_program)
    continue()
  endif()
  math(EXPR checked "${checked} + 1")
  string(REGEX MATCHALL "[^\n]+" libraries "${libraries}")
  foreach(library IN LISTS libraries)
    string(FIND "${library}" "${prefix}" inside)
    if(inside EQUAL -1 AND NOT library MATCHES "statically linked|(lib(c|m|dl|rt|pthread|stdc[+][+]|gcc_s)|ld-linux[^/]*|linux-vdso)[.]so")
      message(FATAL_ERROR "${program} needs what the archive lacks: ${library}")
    endif()
  endforeach()
endforeach()
if(checked LESS 20)
  message(FATAL_ERROR "Only ${checked} programs and libraries of ${prefix} were looked at")
endif()
foreach(package IN ITEMS libllvm libclang-cpp libclang-common libclc libz3 libsqlite3 ocl-icd-libopencl opencl-c-headers)
  file(GLOB licences "${prefix}/share/doc/gputestcheck/bundle/${package}*")
  if(NOT licences)
    message(FATAL_ERROR "The archive has no licence of ${package}")
  endif()
endforeach()

# README.md's kernel, and a CUDA program.
file(WRITE ${WORK}/past.cu [[
#include <cmath>
__global__ void past(float* a, int n) {
  if (threadIdx.x <= n)
    a[threadIdx.x] = std::sqrt(a[threadIdx.x]);
}
int main() {
  float* a;
  cudaMallocManaged(&a, 16 * sizeof(float));
  a[3] = 9;
  past<<<1, 32>>>(a, 16);
  return cudaDeviceSynchronize() != cudaSuccess || a[3] != 3;
}
]])
file(WRITE ${WORK}/user.sh [[
set -euo pipefail
"$SOURCE_TREE/packaging/first_finding.sh" "$PREFIX"
export PATH="$PREFIX/lib/gputest/cuda/bin:$PREFIX/bin:$PATH"
cd "$WORK/home"
nvcc -g ../past.cu -o past
gputest-cuda-run --name past --check bounds --output found -- ./past || true
]])
set(hide "")
execute_process(COMMAND unshare --user --map-root-user --mount mount -t tmpfs none ${LLVM} RESULT_VARIABLE cannot_hide OUTPUT_QUIET ERROR_QUIET)
if(NOT cannot_hide)
  cmake_path(GET LIBCLC PARENT_PATH clc)
  set(hide unshare --user --map-root-user --mount bash -c "mount -t tmpfs none ${LLVM} && mount -t tmpfs none ${clc} && exec \"$@\"" hidden)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=GPUTEST_CACHE_DIR --unset=XDG_CACHE_HOME HOME=${WORK}/home TMPDIR=${WORK}/tmp CXX=g++
                        SOURCE_TREE=${SOURCE_TREE} "PREFIX=${prefix}" WORK=${WORK} ${hide} bash ${WORK}/user.sh
                OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
if(failed OR NOT said MATCHES "saxpy.cl:3:18: gpu_index_decrement.*survived" OR NOT said MATCHES "past.cu:4:[0-9]+: error: [^\n]*out_of_bounds")
  message(FATAL_ERROR "The user of the archive: ${said}")
endif()
if(cannot_hide)
  message("LLVM was not hidden: this user may make no namespaces")
endif()

# The wheel, in an environment of its own: made by the functions that pip calls.
set(no_venv TRUE)
if(PYTHON)
  execute_process(COMMAND ${PYTHON} -m venv --system-site-packages ${WORK}/venv RESULT_VARIABLE no_venv OUTPUT_QUIET ERROR_QUIET)
endif()
if(no_venv)
  message("The wheel is not tried: there is no venv module (python3-venv), or no module was built")
else()
  set(pip ${WORK}/venv/bin/pip --disable-pip-version-check -q)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GPUTEST_ARCHIVE=${archive} GPUTEST_ARCHIVE_LEVEL=0 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${SOURCE_TREE}/packaging
                          ${PYTHON} -c "import backend; backend.build_wheel('${WORK}/made')" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB wheel ${WORK}/made/*.whl)
  execute_process(COMMAND ${pip} install --no-index --no-cache-dir --no-compile --no-deps ${wheel} COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${WORK}/home/try.py [[
import gputest, numpy
source = gputest.source_text("kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }")
v = numpy.arange(4, dtype=numpy.int32)
gputest.run_kernel(source, "twice", v, global_size=4, device="simulator")
assert v.tolist() == [0, 2, 4, 6]
try:
    gputest.run_kernel(source, "twice", v, global_size=5, device="simulator")
except gputest.CheckError as error:
    print(gputest.__version__, gputest.__file__, error)
]])
  execute_process(COMMAND ${WORK}/venv/bin/python ${WORK}/home/try.py OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed OR NOT said MATCHES "^[0-9.]+ ${WORK}/venv/.*out_of_bounds")
    message(FATAL_ERROR "The wheel's module: ${said}")
  endif()
  # pytest finds the plugin by itself.
  execute_process(COMMAND ${WORK}/venv/bin/python -m pytest --version RESULT_VARIABLE no_pytest OUTPUT_QUIET ERROR_QUIET)
  if(NOT no_pytest)
    file(WRITE ${WORK}/home/kernels/test_twice.py "
import numpy
def test_twice(gputest_kernel):
    v = numpy.arange(4, dtype=numpy.int32)
    gputest_kernel('twice.cl', 'twice', global_size=4)(v)
    assert v.tolist() == [0, 2, 4, 6]
")
    file(WRITE ${WORK}/home/kernels/twice.cl "kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${WORK}/venv/bin/python -m pytest -p no:cacheprovider --gputest-check
                    WORKING_DIRECTORY ${WORK}/home/kernels OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
    if(failed OR NOT said MATCHES "0 findings.*1 passed")
      message(FATAL_ERROR "The wheel's plugin of pytest: ${said}")
    endif()
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TMPDIR=${WORK}/tmp ${SOURCE_TREE}/packaging/first_finding.sh ${WORK}/venv
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()

# The steps of action.yml and the hook, as GitHub and pre-commit start them.
file(WRITE ${WORK}/project/past.cl "kernel void past(global const int* v, global int* w) { w[get_global_id(0)] = v[get_global_id(0) + 1]; }\n")
file(WRITE ${WORK}/project/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(packaged CXX)
enable_testing()
find_package(GpuTestCheck REQUIRED)
gputest_add_kernel(past SOURCE past.cl GLOBAL_SIZE 8 LOCAL_SIZE 8 ARGUMENTS v:size=8,fill=iota w:size=8 COVERAGE CHECK)
]])
set(action ${CMAKE_COMMAND} -E env GITHUB_OUTPUT=${WORK}/output GITHUB_STEP_SUMMARY=${WORK}/summary "RUNNER_TEMP=${WORK}/runner temp"
    GPUTEST_DEVICE=simulator SOURCE=${WORK}/project BUILD=${WORK}/project/build "CMAKE_OPTIONS=-G Ninja -DCMAKE_CXX_COMPILER=g++")
set(script ${SOURCE_TREE}/packaging/action.sh)
execute_process(COMMAND ${action} ARCHIVE=${archive} ${script} install OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${WORK}/output installed REGEX "^prefix=")
string(REPLACE "prefix=" "" installed "${installed}")
execute_process(COMMAND ${action} PREFIX=${installed} "LABELS=coverage check" ${script} run OUTPUT_VARIABLE said ERROR_VARIABLE said
                RESULT_VARIABLE code)
file(READ ${WORK}/summary summary)
if(NOT code EQUAL 1 OR NOT said MATCHES "failed: check" OR NOT summary MATCHES "coverage: passed.*check: failed.*out_of_bounds"
   OR NOT EXISTS ${WORK}/project/build/gputest/check.sarif)
  message(FATAL_ERROR "action.sh run ends with ${code}: ${said}\n${summary}")
endif()
set(hook ${CMAKE_COMMAND} -E chdir ${WORK}/project ${SOURCE_TREE}/packaging/pre_commit.sh)
execute_process(COMMAND ${hook} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT said MATCHES "past.cl:1:[0-9]+: error: [^\n]*out_of_bounds")
  message(FATAL_ERROR "pre_commit.sh passes a fault with ${code}: ${said}")
endif()
file(READ ${WORK}/project/past.cl kernel)
string(REPLACE "+ 1" "+ 0" kernel "${kernel}")
file(WRITE ${WORK}/project/past.cl "${kernel}")
execute_process(COMMAND ${hook} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${action} PREFIX=${installed} "LABELS=test check" ${script} run OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# Wrong uses are refused with a reason: a command, its exit code and words.
function(refused code words)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE ended)
  if(NOT ended EQUAL code OR NOT said MATCHES "${words}")
    message(FATAL_ERROR "${ARGN} ends with ${ended}: ${said}")
  endif()
endfunction()
refused(2 "<build folder> <folder>" ${archive_command} ${BUILD})
refused(2 "install tree" ${SOURCE_TREE}/packaging/first_finding.sh)
refused(2 "'tests' is no label" ${action} PREFIX=${installed} LABELS=tests ${script} run)
refused(2 "action.sh install" ${script} wrong)
refused(2 "no build folder" ${hook} elsewhere)
refused(2 "has version [0-9.]+, not 99" ${SOURCE_TREE}/packaging/release.sh --notes 99)
refused(2 "--notes" ${SOURCE_TREE}/packaging/release.sh)
refused(2 "no part; they are: benchmarks" ${SOURCE_TREE}/.ci/nightly wrong)
file(READ ${SOURCE_TREE}/CMakeLists.txt project)
string(REGEX MATCH "VERSION ([0-9.]+) LANGUAGES" ignored "${project}")
execute_process(COMMAND ${SOURCE_TREE}/packaging/release.sh --notes ${CMAKE_MATCH_1} OUTPUT_VARIABLE notes COMMAND_ERROR_IS_FATAL ANY)
if(NOT notes MATCHES "### Added" OR notes MATCHES "## \\[|Unreleased")
  message(FATAL_ERROR "The notes of the release: ${notes}")
endif()
# What workflows start is there, and nightly.yml has the parts of .ci/nightly.
execute_process(COMMAND ${SOURCE_TREE}/.ci/nightly --list OUTPUT_VARIABLE parts COMMAND_ERROR_IS_FATAL ANY)
file(READ ${SOURCE_TREE}/.github/workflows/nightly.yml nightly)
string(REGEX MATCHALL "[^\n]+" parts "${parts}")
string(REGEX MATCH "part: .([a-z0-9, ]+)" ignored "${nightly}")
string(REPLACE ", " ";" listed "${CMAKE_MATCH_1}")
list(SORT listed)
if(NOT listed STREQUAL parts)
  message(FATAL_ERROR "nightly.yml runs ${listed}, and .ci/nightly has ${parts}")
endif()
file(GLOB workflows ${SOURCE_TREE}/.github/workflows/*.yml ${SOURCE_TREE}/action.yml ${SOURCE_TREE}/.pre-commit-hooks.yaml)
foreach(workflow IN LISTS workflows)
  file(READ ${workflow} text)
  string(REGEX MATCHALL "(packaging/[a-z_]+[.](sh|py)|[.]ci/[a-z]+)" scripts "${text}")
  foreach(started IN LISTS scripts)
    if(NOT EXISTS ${SOURCE_TREE}/${started})
      message(FATAL_ERROR "${workflow} starts ${started}, which does not exist")
    endif()
  endforeach()
endforeach()
file(REMOVE_RECURSE ${WORK}/made "${tools}" ${WORK}/venv "${WORK}/runner temp")
