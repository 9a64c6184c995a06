// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments with which Clang reads CUDA C++. The headers are our own toolkit's, so no file of
// NVIDIA is needed. Only text, because the compiler command for CUDA programs does not link LLVM.
#pragma once

#include "model/language.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

// Returns the folders that options called `names` give: "-I folder", "-Ifolder".
inline std::vector<std::string> folders_of(const std::vector<std::string>& arguments,
                                           std::initializer_list<std::string_view> names) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const std::string_view name : names)
      if (arguments[i] == name && i + 1 < arguments.size())
        folders.push_back(arguments[i + 1]);
      else if (arguments[i].starts_with(name) && arguments[i] != name)
        folders.push_back(arguments[i].substr(name.size()));
  return folders;
}

// Arguments that turn errors of Clang into warnings, for code that nvcc and GCC accept. Neither
// warns about arrays whose size is no constant.
inline std::vector<std::string> warnings_only() {
  return {"-Wno-error=register",
          "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal",
          "-Wno-error=return-mismatch",
          "-Wno-error=missing-template-arg-list-after-template-kw",
          "-Wno-vla-cxx-extension"};
}

// How Clang reads the runtime's header, with which each source begins (model::LanguageRow::header):
// as a text, or in its place as a header that Clang has kept (kept_header.h).
inline constexpr const char* kHeader = "-include";
inline constexpr const char* kKeptHeader = "-include-pch";

// Libraries that programs bring along, by how they are included. Their headers are the system's
// wherever they are: they are neither covered nor mutated, and their warnings are not shown.
inline constexpr const char* kLibraries[]{"thrust/", "cub/", "cuda/std/", "cuda/__", "nv/"};

// Whether a file is a header of these libraries.
inline bool is_of_library(std::string_view file) {
  for (const std::string library : kLibraries)
    if (file.starts_with(library) || file.find("/" + library) != std::string_view::npos)
      return true;
  return false;
}

// Arguments of Clang's driver, the program `clang` first. `root`: the toolkit's folder, which has
// include/. `language`: that of the sources.
inline std::vector<std::string> arguments_with_toolkit(const std::string& clang,
                                                       const std::string& root,
                                                       const model::LanguageRow& language) {
  std::vector<std::string> arguments{clang,
                                     "-x",
                                     "cuda",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "--cuda-path=" + root, // and no other
                                     "--cuda-gpu-arch=sm_80",
                                     "-isystem",
                                     root + "/include",
                                     kHeader,
                                     std::string(language.header),
                                     "-D" + std::string(language.macro) + "=1",
                                     "-idirafter",
                                     root + "/include/gputest_cuda/openmp",
                                     "-Xclang",
                                     "-target-sdk-version=12.5",
                                     "-Xclang", // libraries declare f(...) to choose overloads
                                     "-fcuda-allow-variadic-functions",
                                     "-Wno-unknown-cuda-version",
                                     "-Wno-unused-command-line-argument"};
  for (const char* library : kLibraries)
    arguments.push_back("--system-header-prefix=" + std::string(library));
  for (const std::string& argument : warnings_only())
    arguments.push_back(argument);
  return arguments;
}

// What is added for the device's code as bitcode of which nothing is optimised yet, and whose
// instructions know their places.
inline std::vector<std::string> arguments_for_bitcode() {
  return {"-O2",
          "-Xclang",
          "-disable-llvm-passes",
          "-gline-tables-only",
          "-fno-discard-value-names",
          "-ffp-contract=fast", // which marks what ir/cuda/contraction.h chooses from
          "-Wno-everything"};
}

} // namespace gputest::frontend::cuda
