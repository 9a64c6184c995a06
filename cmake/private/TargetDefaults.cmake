# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/PrecompiledHeaders.cmake)

option(GPUTEST_WARNINGS_AS_ERRORS "Treat compiler warnings in GpuTestCheck's own code as errors"
       OFF)

option(GPUTEST_FAST_BUILD "Optimise only rooms with hot loops: a quick build for running all tests"
       OFF)

# gputest_target_defaults(<target> [HOT] [HEADERS <set>])
#
# Language level, include root and warnings of our own targets, and which set of headers is
# precompiled for them (PrecompiledHeaders.cmake). HOT: optimised in a fast build, too.
function(gputest_target_defaults target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT" "HEADERS" "")
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  # GCC 12 warns of overlapping copies in std::string's operator+ where there are none (GCC bug
  # 105651).
  set(gcc_12 "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
  # Clang's -Wconversion includes signs, and warns of code inside libstdc++'s stable_sort().
  set(clang $<CXX_COMPILER_ID:Clang,AppleClang>)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wnon-virtual-dtor $<${gcc_12}:-Wno-restrict>
                                           $<${clang}:-Wno-sign-conversion>
                                           $<${clang}:-Wno-deprecated-declarations>
                                           $<$<BOOL:${GPUTEST_WARNINGS_AS_ERRORS}>:-Werror>)
  if(GPUTEST_FAST_BUILD AND NOT arg_HOT)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(arg_HEADERS)
    gputest_precompile(${target} ${arg_HEADERS} ${arg_HOT})
  endif()
endfunction()
