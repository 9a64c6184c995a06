// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/dependencies.h"

#include "model/files.h"
#include "model/text/depfile.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

std::string rule_in(const fs::path& file) {
  return model::read_text(file).value_or("");
}

} // namespace

std::string dependency_file(const Command& command) {
  const auto at = std::ranges::find(command.dependencies, "-MF");
  return at == command.dependencies.end() || at + 1 == command.dependencies.end() ? "" : *(at + 1);
}

void add_dependencies(const fs::path& file, const std::vector<std::string>& more) {
  std::string text = rule_in(file);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\\'))
    text.pop_back();
  std::set<std::string> known;
  for (const std::string& one : more)
    if (known.insert(one).second)
      text += " \\\n " + model::depfile_name(fs::absolute(one).lexically_normal().string());
  std::ofstream(file, std::ios::binary) << text << "\n";
}

void remove_dependency(const fs::path& file, const fs::path& one) {
  std::string text = rule_in(file);
  const std::string name = model::depfile_name(one.string());
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
    text.replace(at, name.size(), "");
  std::ofstream(file, std::ios::binary) << text;
}

} // namespace gputest::cuda::compiler
