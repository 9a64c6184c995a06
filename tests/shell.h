// A command of the shell, and all that it prints.
#pragma once

#include "tests/catch.h"

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace gputest::tests {

struct Ran {
  int exit_code = 0;
  std::string output; // and errors
};

inline Ran run_shell(const std::string& command) {
  std::FILE* const pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  REQUIRE(pipe);
  Ran ran;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
    ran.output.append(part.data(), size);
  ran.exit_code = WEXITSTATUS(::pclose(pipe));
  return ran;
}

} // namespace gputest::tests
