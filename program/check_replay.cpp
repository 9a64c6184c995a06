// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/check_replay.h"

#include "model/files.h"
#include "model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFirstKind = "opencl"; // of files without a kind, which are older

} // namespace

constexpr auto fields_of(const CheckReplay*) {
  using T = CheckReplay;
  using enum model::Presence;
  return std::tuple{model::field("name", &T::name),
                    model::field("kernel", &T::kernel),
                    model::field("directory", &T::directory),
                    model::field("source_root", &T::source_root),
                    model::field("command", &T::command),
                    model::field<IfNotPlain>("kind", &T::kind),
                    model::field<IfNotPlain>("checks", &T::checks),
                    model::field<IfNotPlain>("kernel_files", &T::kernel_files),
                    model::field<IfNotPlain>("environment", &T::environment)};
}

void write_check_replay(const CheckReplay& replay, const fs::path& file) {
  Json json{{"format", kCheckReplayFormat}};
  write_fields(json, replay, fields_of(&replay));
  if (replay.simulator) {
    json["simulator"] = *replay.simulator;
    json["simulator"].erase("program"); // the replaying command has its own
  }
  json["finding"] = replay.finding;
  fs::create_directories(file.parent_path());
  model::write_atomically(file, model::pretty(json));
}

CheckReplay read_check_replay(const fs::path& file, const fs::path& simulator) {
  return model::read_json_file(file, [&](const Json& json) {
    model::expect_format(json, kCheckReplayFormat);
    CheckReplay replay;
    replay.kind = kFirstKind;
    read_fields(json, replay, fields_of(&replay));
    replay.finding = model::required<model::Finding>(json, "finding");
    if (Json simulated = json; simulated.value("simulator", Json()).is_object()) {
      simulated["simulator"]["program"] = simulator.string();
      replay.simulator = model::required<runtime::SimulatedProgram>(simulated, "simulator");
      replay.checks = replay.simulator->simulation.checks;
    }
    if (replay.kind == kFirstKind && !replay.simulator)
      throw model::FormatError("key 'simulator' is missing");
    return replay;
  });
}

} // namespace gputest::program
