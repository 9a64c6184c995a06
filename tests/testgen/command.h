// The command as a process of its own, and a folder for what it writes.
#pragma once

#include "tests/catch.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::testgen::tests {

struct Ran {
  int exit_code = 0;
  std::string output;
};

// `before`: what the shell does first, "ulimit -f 0;".
inline Ran run(const std::string& arguments, const char* name = "generate",
               const std::string& before = "") {
  const std::string command =
      fmt::format("{} '{}' {} {} 2>&1", before, GPUTEST_COMMAND, name, arguments);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe);
  Ran ran;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
    ran.output.append(part.data(), size);
  ran.exit_code = WEXITSTATUS(::pclose(pipe));
  return ran;
}

inline std::string kernel(const char* name) {
  return fmt::format("'{}/kernels/{}'", GPUTEST_TEST_DATA, name);
}

class Folder {
public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "gputest-generate-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(path);
  }
  std::filesystem::path path;
};

} // namespace gputest::testgen::tests
