// The command gputest memory as tests start it, and a folder with a kernel for it.
#pragma once

#include "tests/shell.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace gputest::memory::tests {

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using gputest::tests::Ran;
using gputest::tests::run_shell;
using Json = nlohmann::json;

inline Ran run(const std::string& arguments) {
  return run_shell(fmt::format("'{}' memory {}", GPUTEST_COMMAND, arguments));
}

// A folder with a kernel that transposes naively, a case, and what tests add.
class Folder {
  const gputest::tests::TemporaryFolder folder_;

public:
  Folder() {
    write("k.cl", "kernel void k(global const float* in, global float* out, uint n) {\n"
                  "  const uint x = get_global_id(0), y = get_global_id(1);\n"
                  "  out[x * n + y] = in[y * n + x];\n}\n");
    write("case.json",
          R"({"name": "square", "global_size": [64, 64], "local_size": [32, 4],
              "arguments": {"in": {"size": 4096, "fill": "iota"}, "out": {"size": 4096}, "n": 64}})");
  }

  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string read(const std::string& name) const { return folder_.read(name); }
  std::string file(const std::string& name) const {
    return fmt::format("'{}'", (path / name).string());
  }
  std::string kernel_and_case() const {
    return fmt::format("{} --case {} --source-root '{}'", file("k.cl"), file("case.json"),
                       path.string());
  }
  Json json(const std::string& name) const { return Json::parse(std::ifstream(path / name)); }

  const fs::path path = folder_.path();
};

} // namespace gputest::memory::tests
