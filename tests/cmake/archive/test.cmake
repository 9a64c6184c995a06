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

# Wrong uses are refused with a reason.
execute_process(COMMAND ${archive_command} ${BUILD} ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 2 OR NOT said MATCHES "<build folder> <folder>")
  message(FATAL_ERROR "archive.sh without a folder ends with ${code}: ${said}")
endif()
file(REMOVE_RECURSE ${WORK}/made "${tools}")
