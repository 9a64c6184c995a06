// The command as a process of its own, and a folder for what it writes.
#pragma once

#include "tests/shell.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <string>

namespace gputest::testgen::tests {

using gputest::tests::Ran;

// `before`: what the shell does first, "ulimit -f 0;".
inline Ran run(const std::string& arguments, const char* name = "generate",
               const std::string& before = "") {
  return gputest::tests::run_shell(
      fmt::format("{} '{}' {} {}", before, GPUTEST_COMMAND, name, arguments));
}

inline std::string kernel(const char* name) {
  return fmt::format("'{}/kernels/{}'", GPUTEST_TEST_DATA, name);
}

class Folder {
  const gputest::tests::TemporaryFolder folder_;

public:
  Folder() = default;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::permissions(path, std::filesystem::perms::owner_all); }

  const std::filesystem::path path = folder_.path();
};

} // namespace gputest::testgen::tests
