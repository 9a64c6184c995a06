// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a text is built.
#pragma once

#include "model/language.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

struct BuildSettings {
  std::vector<std::string> build_options{}; // passed to the compiler as they are
  std::vector<std::string> definitions{};   // "NAME" or "NAME=VALUE"
  std::vector<std::filesystem::path> include_dirs{};
  std::string cl_std{}; // "CL1.2"; empty: the compiler's default
  model::Language language = model::Language::OpenCL;
  bool signature = false; // true: BuiltKernel::signature() will be called
};

// Returns the line of a definition: "#define NAME VALUE". The default for VALUE is 1.
inline std::string macro_line(const std::string& definition) {
  const std::size_t equals = definition.find('=');
  return "#define " + definition.substr(0, equals) + ' ' +
         (equals == std::string::npos ? "1" : definition.substr(equals + 1)) + '\n';
}

} // namespace gputest::runtime
