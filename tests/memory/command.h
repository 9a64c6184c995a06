// The command gputest memory as tests start it, and a folder with a kernel for it.
#pragma once

#include "tests/catch.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::memory::tests {

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::json;

struct Ran {
  int exit_code = 0;
  std::string output;
};

inline Ran run_command(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  Ran ran;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
    ran.output.append(part.data(), size);
  ran.exit_code = WEXITSTATUS(::pclose(pipe));
  return ran;
}

inline Ran run(const std::string& arguments) {
  return run_command(fmt::format("'{}' memory {}", GPUTEST_COMMAND, arguments));
}

// A folder with a kernel that transposes naively, a case, and what tests add.
class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gputest-memory-XXXXXX").string();
    path = ::mkdtemp(name.data());
    write("k.cl", "kernel void k(global const float* in, global float* out, uint n) {\n"
                  "  const uint x = get_global_id(0), y = get_global_id(1);\n"
                  "  out[x * n + y] = in[y * n + x];\n}\n");
    write("case.json",
          R"({"name": "square", "global_size": [64, 64], "local_size": [32, 4],
              "arguments": {"in": {"size": 4096, "fill": "iota"}, "out": {"size": 4096}, "n": 64}})");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
  std::string file(const std::string& name) const {
    return fmt::format("'{}'", (path / name).string());
  }
  std::string kernel_and_case() const {
    return fmt::format("{} --case {} --source-root '{}'", file("k.cl"), file("case.json"),
                       path.string());
  }
  Json json(const std::string& name) const { return Json::parse(std::ifstream(path / name)); }

  fs::path path;
};

} // namespace gputest::memory::tests
