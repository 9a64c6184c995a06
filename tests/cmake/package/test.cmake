# cmake -DBUILD=… -DCONFIG=… -DWORK=… -DPREFIX=<install tree> -DSOURCE_TREE=… -DCXX=… -P test.cmake: what packages are
# made, and that each holds what `cmake --install` installs. What needs a tool that is not here is played.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(READ ${SOURCE_TREE}/CMakeLists.txt project)
string(REGEX MATCH "VERSION ([0-9.]+) LANGUAGES" ignored "${project}")
set(version ${CMAKE_MATCH_1})

# Debian's, unpacked by dpkg: programs, library, CMake package and pkg-config file work from there. In short runs the
# install tree stands for it: CPack starts two programs for each file.
if(NOT DEFINED ENV{GPUTEST_LONG_TESTS})
  set(prefix ${PREFIX})
  include(${BUILD}/CPackConfig.cmake)
  if(NOT CPACK_DEBIAN_PACKAGE_DEPENDS MATCHES "^clang-[0-9]+, libclc-[0-9]+, opencl-c-headers$"
     OR NOT CPACK_DEBIAN_PACKAGE_SHLIBDEPS)
    message(FATAL_ERROR "The package would depend on ${CPACK_DEBIAN_PACKAGE_DEPENDS}, and libraries are not looked for")
  endif()
else()
  find_program(DPKG_DEB dpkg-deb)
  find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
  if(NOT DPKG_DEB OR NOT DPKG_SHLIBDEPS)
    message("skipped: no dpkg-deb, or no dpkg-shlibdeps (dpkg-dev)")
    return()
  endif()
  set(config "")
  if(CONFIG)
    set(config -C ${CONFIG})
  endif()
  execute_process(COMMAND ${CMAKE_CPACK_COMMAND} ${config} -G DEB -B ${WORK}/made -D CPACK_DEBIAN_COMPRESSION_TYPE=none
                  WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  file(GLOB package ${WORK}/made/gputestcheck_${version}_*.deb)
  if(failed OR NOT package)
    message(FATAL_ERROR "cpack -G DEB: ${said}")
  endif()
  execute_process(COMMAND ${DPKG_DEB} --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  foreach(name IN ITEMS libsqlite3-0 libclang-cpp clang- libclc- opencl-c-headers libmd0)
    if(NOT depends MATCHES "${name}")
      message(FATAL_ERROR "The package does not depend on ${name}: ${depends}")
    endif()
  endforeach()
  execute_process(COMMAND ${DPKG_DEB} -x ${package} ${WORK}/root COMMAND_ERROR_IS_FATAL ANY)
  set(prefix ${WORK}/root/usr)

  file(WRITE ${WORK}/project/twice.cl "kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }\n")
  file(WRITE ${WORK}/project/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(packaged CXX)
enable_testing()
find_package(GpuTestCheck REQUIRED)
gputest_add_kernel(twice SOURCE twice.cl GLOBAL_SIZE 8 ARGUMENTS v:size=8,fill=iota DEVICE simulator COVERAGE CHECK)
]])
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/project -B ${WORK}/project/build -DCMAKE_PREFIX_PATH=${prefix}
                          -DCMAKE_CXX_COMPILER=${CXX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/project/build OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/project/build --output-on-failure
                  OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "100% tests passed, 0 tests failed out of 3")
    message(FATAL_ERROR "The tests of a project that uses the package:\n${said}")
  endif()
endif()

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB folder ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  foreach(question IN ITEMS --modversion --variable=gputest "--cflags;--libs")
    execute_process(COMMAND ${PKG_CONFIG} ${question} gputestcheck OUTPUT_VARIABLE answer
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND answers "${answer}")
  endforeach()
  list(POP_FRONT answers found driver)
  if(NOT found STREQUAL version OR NOT EXISTS ${driver})
    message(FATAL_ERROR "gputestcheck.pc: version ${found}, command ${driver}")
  endif()
  file(WRITE ${WORK}/twice.cpp [[
#include <gputest/run_kernel.h>
int main() {
  std::vector<int> v{1, 2, 3};
  gputest::run_kernel(gputest::source_text("kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }"), "twice",
                      {.global_size = {3}, .device = "simulator"}, v);
  return v == std::vector<int>{2, 4, 6} ? 0 : 1;
}
]])
  separate_arguments(flags UNIX_COMMAND "${answers}")
  execute_process(COMMAND ${CXX} -std=c++20 ${WORK}/twice.cpp ${flags} -o ${WORK}/twice COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GPUTEST_DRIVER=${driver} ${WORK}/twice COMMAND_ERROR_IS_FATAL ANY)
endif()

# vcpkg's port, with functions that stand for vcpkg's: its options are ours, and what it moves is there.
file(READ ${SOURCE_TREE}/packaging/vcpkg/gputestcheck/vcpkg.json manifest)
string(JSON port_version GET "${manifest}" version)
string(JSON port_name GET "${manifest}" name)
if(NOT port_version STREQUAL version OR NOT port_name STREQUAL "gputestcheck")
  message(FATAL_ERROR "vcpkg.json is of ${port_name} ${port_version}")
endif()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  file(REAL_PATH ${SOURCE_TREE} checkout)
  file(REAL_PATH ${arg_SOURCE_PATH} given)
  if(NOT given STREQUAL checkout)
    message(FATAL_ERROR "The port builds ${given}")
  endif()
  file(READ ${SOURCE_TREE}/python/CMakeLists.txt python)
  foreach(option IN LISTS arg_OPTIONS)
    string(REGEX MATCH "^-D([A-Z_]+)=" ignored "${option}")
    if(NOT "${project}${python}" MATCHES "option\\(${CMAKE_MATCH_1} ")
      message(FATAL_ERROR "The port sets ${option}")
    endif()
  endforeach()
endfunction()
function(vcpkg_cmake_install)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
  if(NOT EXISTS ${prefix}/${arg_CONFIG_PATH}/GpuTestCheckConfig.cmake)
    message(FATAL_ERROR "There is no package in ${arg_CONFIG_PATH}")
  endif()
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
set(copyright "")
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  set(copyright ${arg_FILE_LIST} PARENT_SCOPE)
endfunction()
include(${SOURCE_TREE}/packaging/vcpkg/gputestcheck/portfile.cmake)

# Each package says the licence, and has its text.
file(READ ${SOURCE_TREE}/LICENSE license)
file(READ ${prefix}/share/doc/gputestcheck/copyright installed)
string(JSON port_license GET "${manifest}" license)
file(READ ${SOURCE_TREE}/packaging/conan/conanfile.py recipe)
if(NOT installed STREQUAL license OR NOT copyright MATCHES "/LICENSE;.*/NOTICE$"
   OR NOT port_license STREQUAL "Apache-2.0 WITH LLVM-exception"
   OR NOT recipe MATCHES "license = \"Apache-2.0 WITH LLVM-exception\"")
  message(FATAL_ERROR "A package does not have the licence: vcpkg says '${port_license}', and installs '${copyright}'")
endif()
foreach(part IN ITEMS Apache-2.0 LLVM-exception)
  file(READ ${SOURCE_TREE}/LICENSES/${part}.txt text)
  string(FIND "${license}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "LICENSE does not contain LICENSES/${part}.txt")
  endif()
endforeach()
file(READ ${SOURCE_TREE}/CITATION.cff citation)
file(READ ${SOURCE_TREE}/CHANGELOG.md changes)
if(NOT citation MATCHES "\nversion: ${version}\n" OR NOT changes MATCHES "\n## .${version}. - ")
  message(FATAL_ERROR "CITATION.cff or CHANGELOG.md is not of version ${version}")
endif()

# Conan's recipe, with a module that stands for Conan.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${SOURCE_TREE}/tests/cmake/package/conan_test.py ${SOURCE_TREE} ${version}
                COMMAND_ERROR_IS_FATAL ANY)

# The image is made by quickstart.sh, which knows `package`.
file(READ ${SOURCE_TREE}/packaging/Dockerfile image)
file(READ ${SOURCE_TREE}/quickstart.sh quickstart)
if(NOT image MATCHES "quickstart.sh package" OR NOT quickstart MATCHES "\npackage\\)\n[^;]*cpack -G DEB")
  message(FATAL_ERROR "packaging/Dockerfile does not make its package by quickstart.sh")
endif()
