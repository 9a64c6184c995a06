// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/inputs.h"

#include "model/files.h"
#include "runtime/cases/values.h"

#include <fmt/format.h>
#include <sstream>
#include <utility>

namespace gputest::runtime {

namespace fs = std::filesystem;

std::vector<fs::path> files_of_rule(const fs::path& depfile) {
  const std::string text = model::read_text(depfile).value_or("");
  std::vector<fs::path> files;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty())
      files.emplace_back(std::exchange(name, ""));
  };
  const std::size_t colon = text.find(": ");
  for (std::size_t i = colon == std::string::npos ? text.size() : colon + 2; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      if (text[i] != '\n')
        name += text[i];
    } else if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '$') {
      name += text[++i];
    } else if (text[i] == ' ' || text[i] == '\n') {
      end_name();
    } else {
      name += text[i];
    }
  }
  end_name();
  return files;
}

std::string record_inputs(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files)
    text += fmt::format("{} {}\n", fingerprint(model::read_text(file).value_or("")), file.string());
  return text;
}

bool are_unchanged(const std::string& record) {
  std::vector<fs::path> files;
  std::istringstream lines(record);
  constexpr std::size_t kName = 17; // offset of the name, after the fingerprint
  for (std::string line; std::getline(lines, line);)
    if (line.size() > kName)
      files.emplace_back(line.substr(kName));
  return !files.empty() && record_inputs(files) == record;
}

} // namespace gputest::runtime
