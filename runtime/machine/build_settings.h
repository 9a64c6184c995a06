// How a text is to be built.
#pragma once

#include "model/language.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

struct BuildSettings {
  std::vector<std::string> build_options{}; // passed on as they are
  std::vector<std::string> definitions{};   // "NAME" or "NAME=VALUE"
  std::vector<std::filesystem::path> include_dirs{};
  std::string cl_std{}; // "CL1.2"; empty: the compiler's default
  model::Language language = model::Language::OpenCL;
  bool signature = false; // BuiltKernel::signature() will be asked
};

} // namespace gputest::runtime
