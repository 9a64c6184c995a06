// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/replay/memory.h"

#include "driver/command_error.h"
#include "driver/host_program.h"
#include "driver/layer_file.h"
#include "model/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json json_of(const fs::path& file) {
  return Json::parse(model::read_text(file).value_or(""), nullptr, false);
}

} // namespace

bool is_memory_replay(const fs::path& file) {
  const Json json = json_of(file);
  return json.is_object() && json.contains("format") &&
         json["format"] == "gputest-memory-schedule-1";
}

void replay_memory(const fs::path& file) {
  const Json json = json_of(file);
  std::vector<std::string> command;
  std::string directory;
  try {
    command = json.at("command").get<std::vector<std::string>>();
    directory = json.at("directory").get<std::string>();
  } catch (const Json::exception& error) {
    throw CommandError(fmt::format("{}: error: {}", file.string(), error.what()));
  }
  std::vector<std::string> words{(own_file().parent_path() / "gputest-memory").string(), "memory"};
  words.insert(words.end(), command.begin(), command.end());
  words.insert(words.end(), {"--replay", fs::absolute(file).string()});
  std::error_code error;
  fs::current_path(directory, error);
  if (error)
    throw CommandError(fmt::format("{}: error: it was written in {}, which is not there; give it "
                                   "to gputest memory --replay, with the kernel and its cases",
                                   file.string(), directory));
  become(words);
}

} // namespace gputest::driver
