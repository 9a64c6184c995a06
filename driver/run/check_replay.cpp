// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/check_replay.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/replayed_program.h"
#include "driver/run/coverage.h"
#include "model/files.h"
#include "model/schedules/schedule.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "gputest-check-replay-1";

} // namespace

void write_check_replay(const ProgramRun& prepared, const program::KernelChecks& kernel,
                        const program::LaunchFinding& found, const fs::path& file) {
  Json json{{"format", kFormat},
            {"name", prepared.name},
            {"command", prepared.child.command},
            {"directory", fs::current_path().string()},
            {"source_root", prepared.settings.source_root.string()},
            {"kernel_files", Json::array()},
            {"simulator", *prepared.settings.simulator},
            {"kernel", kernel.folder},
            {"finding", model::to_json(found.finding)}};
  json["simulator"].erase("program"); // the replaying command has its own
  if (prepared.settings.only_kernel_files)
    for (const fs::path& kernel_file : prepared.settings.kernel_files)
      json["kernel_files"].push_back(kernel_file.string());
  fs::create_directories(file.parent_path());
  model::write_atomically(file, model::pretty(json));
}

bool is_check_replay(const fs::path& file) {
  const Json json = Json::parse(model::read_text(file).value_or(""), nullptr, false);
  return json.is_object() && json.value("format", "") == kFormat;
}

int replay_check(const fs::path& file, std::vector<std::string> words) {
  const Json json = Json::parse(model::read_text(file).value_or(""), nullptr, false);
  runtime::SimulatedProgram simulated;
  model::Finding wanted;
  std::string name, kernel, directory, source_root;
  std::vector<std::string> command, kernel_files;
  try {
    Json simulator = json.at("simulator");
    simulator["program"] = simulator_file().string();
    simulator.get_to(simulated);
    wanted = model::finding_from_json(json.at("finding"));
    name = json.at("name").get<std::string>();
    kernel = json.at("kernel").get<std::string>();
    directory = json.at("directory").get<std::string>();
    source_root = json.at("source_root").get<std::string>();
    command = json.at("command").get<std::vector<std::string>>();
    kernel_files = json.at("kernel_files").get<std::vector<std::string>>();
  } catch (const Json::exception& error) {
    throw CommandError(fmt::format("{}: error: {}", file.string(), error.what()));
  } catch (const model::FormatError& error) {
    throw CommandError(fmt::format("{}: error: {}", file.string(), error.what()));
  }
  words = replayed_command(file, std::move(words), command, directory);
  const process::ScratchFolder folder("gputest-replay");
  const ProgramRun prepared = prepare_replay(name, kernel_files, {{}, words}, folder.path());
  program::RunSettings settings = prepared.settings;
  settings.measure = "check";
  settings.simulator = std::move(simulated);
  settings.only_kernels = {kernel};
  settings.source_root = source_root; // names of files are those in the finding
  const program::ChildResult result =
      program::run_recorded(prepared.child, prepared.run_folder, settings);
  const program::RunRecords records = program::read_run_folder(prepared.run_folder);
  const std::vector<program::KernelChecks> kernels = program::program_checks(records);
  std::cout << std::flush;
  print_not_measured(records.not_measured);
  if (kernels.empty()) {
    fmt::print(stderr, "error: {} made no launch of {} in the simulator: {}\n", name, kernel,
               why_nothing(records));
    return program::is_skipped(result, records) ? program::kSkipped : int{Failed};
  }
  const auto is_wanted = [&](const program::LaunchFinding& found) {
    return pair_of(found.finding) == pair_of(wanted);
  };
  for (const program::KernelChecks& checked : kernels)
    if (const auto found = std::ranges::find_if(checked.findings, is_wanted);
        found != checked.findings.end()) {
      std::cout << fmt::format("{}\n  in launch {} of {} ({})\n", text_of(found->finding),
                               found->launch, checked.folder, model::text_of(found->sizes))
                << std::flush;
      return Failed;
    }
  std::cout << fmt::format("{}: not found again in {} launches of {}\n", name,
                           kernels.front().launches, kernel)
            << std::flush;
  return Held;
}

} // namespace gputest::driver
