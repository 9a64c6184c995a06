// The kernels of this folder, and a folder for what is generated.
#pragma once

#include "testgen/generate.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace gputest::testgen::tests {

inline Target target(const std::string& file, const std::string& kernel = "") {
  passes::SourceOptions options;
  options.file = std::string(GPUTEST_TEST_DATA) + "/kernels/" + file;
  options.source_root = std::string(GPUTEST_TEST_DATA) + "/kernels";
  return targets_of(options, kernel).front();
}

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gputest-testgen-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

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
