# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the target gputest_clang, which links Clang and LLVM: their shared libraries, or with
# GPUTEST_STATIC_CLANG the static ones, into programs of gputest_starts_fast() alone.
#
# A program that links the shared libraries makes 560,000 relocations before it does anything. With
# the static ones, and without PIE, there are none.
include_guard(GLOBAL)

option(GPUTEST_STATIC_CLANG "Link Clang's and LLVM's static libraries: programs start in a quarter \
of the time, and take 100 MB each" OFF)

add_library(gputest_clang INTERFACE)
if(NOT GPUTEST_STATIC_CLANG)
  target_link_libraries(gputest_clang INTERFACE clang-cpp LLVM)
  function(gputest_starts_fast)
  endfunction()
  return()
endif()

file(GLOB gputest_archives ${LLVM_LIBRARY_DIRS}/libclang[A-Z]*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
list(FILTER gputest_archives EXCLUDE REGEX "libclang(Tidy|Daemon|d)|Exegesis|TestingSupport")
if(NOT gputest_archives MATCHES "libclangFrontend.a"
   OR NOT gputest_archives MATCHES "libLLVMCore.a")
  message(FATAL_ERROR "GPUTEST_STATIC_CLANG needs the static libraries of Clang and LLVM in "
                      "${LLVM_LIBRARY_DIRS}, which their development packages have.")
endif()
# What LLVM itself links; packages for development are not needed.
set(gputest_of_llvm "")
foreach(name z zstd xml2 ffi tinfo z3)
  file(GLOB gputest_versions /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/lib${name}.so.[0-9]*)
  find_library(GPUTEST_LLVM_NEEDS_${name} NAMES ${name} PATHS /usr/lib)
  mark_as_advanced(GPUTEST_LLVM_NEEDS_${name})
  if(GPUTEST_LLVM_NEEDS_${name})
    list(APPEND gputest_of_llvm ${GPUTEST_LLVM_NEEDS_${name}})
  elseif(gputest_versions)
    list(GET gputest_versions 0 gputest_version)
    list(APPEND gputest_of_llvm ${gputest_version})
  endif()
endforeach()
# Debian's Clang asks Polly, whose static library is in another package, for passes to add.
file(CONFIGURE OUTPUT no_polly.cpp CONTENT [[
#include <llvm/Passes/PassPlugin.h>
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder&) {}};
}
]] @ONLY)
add_library(gputest_no_polly STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/no_polly.cpp)
target_include_directories(gputest_no_polly SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_compile_features(gputest_no_polly PRIVATE cxx_std_20)
set_target_properties(gputest_no_polly PROPERTIES UNITY_BUILD OFF)

set(gputest_fast "$<BOOL:$<TARGET_PROPERTY:GPUTEST_STARTS_FAST>>")
set(gputest_archives "-Wl$<COMMA>--start-group" ${gputest_archives}
    $<TARGET_FILE:gputest_no_polly> "-Wl$<COMMA>--end-group" ${gputest_of_llvm})
target_link_libraries(gputest_clang INTERFACE "$<${gputest_fast}:${gputest_archives}>"
                                              "$<$<NOT:${gputest_fast}>:clang-cpp;LLVM>")

# The program starts fast, if the option says so.
function(gputest_starts_fast program)
  set_target_properties(${program} PROPERTIES GPUTEST_STARTS_FAST ON)
  target_link_options(${program} PRIVATE -no-pie -Wl,--gc-sections)
  add_dependencies(${program} gputest_no_polly)
endfunction()
