// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/check_replay.h"

#include "model/files.h"
#include "model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "gputest-check-replay-1";

} // namespace

void write_check_replay(const CheckReplay& replay, const fs::path& file) {
  Json json{{"format", kFormat},
            {"name", replay.name},
            {"command", replay.command},
            {"directory", replay.directory},
            {"source_root", replay.source_root},
            {"kernel_files", replay.kernel_files},
            {"simulator", replay.simulator},
            {"kernel", replay.kernel},
            {"finding", model::to_json(replay.finding)}};
  json["simulator"].erase("program"); // the replaying command has its own
  fs::create_directories(file.parent_path());
  model::write_atomically(file, model::pretty(json));
}

bool is_check_replay(const fs::path& file) {
  const Json json = Json::parse(model::read_text(file).value_or(""), nullptr, false);
  return json.is_object() && json.value("format", "") == kFormat;
}

CheckReplay read_check_replay(const fs::path& file, const fs::path& simulator) {
  const Json json = Json::parse(model::read_text(file).value_or(""), nullptr, false);
  CheckReplay replay;
  try {
    Json simulated = json.at("simulator");
    simulated["program"] = simulator.string();
    simulated.get_to(replay.simulator);
    replay.finding = model::finding_from_json(json.at("finding"));
    json.at("name").get_to(replay.name);
    json.at("kernel").get_to(replay.kernel);
    json.at("directory").get_to(replay.directory);
    json.at("source_root").get_to(replay.source_root);
    json.at("command").get_to(replay.command);
    json.at("kernel_files").get_to(replay.kernel_files);
  } catch (const Json::exception& error) {
    throw model::FormatError(fmt::format("{}: error: {}", file.string(), error.what()));
  } catch (const model::FormatError& error) {
    throw model::FormatError(fmt::format("{}: error: {}", file.string(), error.what()));
  }
  return replay;
}

} // namespace gputest::program
