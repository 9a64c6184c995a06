// The kernels of this folder, and a folder for what is generated.
#pragma once

#include "model/files.h"
#include "process/scratch_folder.h"
#include "testgen/generation/generate.h"

#include <algorithm>
#include <filesystem>

namespace gputest::testgen::tests {

inline Target target(const std::string& file, const std::string& kernel = "",
                     bool mutants = false) {
  frontend::SourceOptions options;
  options.file = std::string(GPUTEST_TEST_DATA) + "/kernels/" + file;
  options.source_root = std::string(GPUTEST_TEST_DATA) + "/kernels";
  return targets_of(options, kernel, mutants).front();
}

class Folder {
  const process::ScratchFolder scratch_{"gputest-testgen"};

public:
  const std::filesystem::path path = scratch_.path();
};

// Names and texts of all files.
inline std::string content_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::string text;
  for (const std::filesystem::path& file : files)
    text += file.filename().string() + "\n" + model::read_text(file).value_or("");
  return text;
}

// What is neither reached nor proved impossible.
inline std::vector<OpenGoal> not_reached(const Generated& generated) {
  std::vector<OpenGoal> all = generated.open;
  all.insert(all.end(), generated.blocked.begin(), generated.blocked.end());
  return all;
}

inline Settings settings(const Folder& folder) {
  Settings settings;
  using model::Criterion;
  settings.criteria = {Criterion::Branch, Criterion::Condition, Criterion::Loop,
                       Criterion::Barrier};
  settings.output = folder.path;
  settings.seconds = 60;
  return settings;
}

} // namespace gputest::testgen::tests
