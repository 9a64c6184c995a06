// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/run_folder.h"

#include "model/files.h"
#include "model/interface.h"
#include "model/json.h"
#include "process/undisturbed.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace gputest::program {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// Reads the number of hashes, then the hashes. The file may be longer.
std::vector<std::uint64_t> read_hashes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  if (words.empty())
    return {};
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  const std::size_t count = std::min<std::size_t>(words.front(), words.size() - 1);
  return {words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(count)};
}

// A line that its process did not finish is nothing.
std::optional<Json> finished(const std::string& line) {
  try {
    return model::parse_json(line);
  } catch (const model::FormatError&) {
    return std::nullopt;
  }
}

// When the process began, from the name of its log: <process>-<time>.jsonl. Throws FormatError.
std::uint64_t beginning(const fs::path& log) {
  const std::string process = log.stem().string(), number = process.substr(process.find('-') + 1);
  std::uint64_t time = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), time);
  if (error != std::errc() || end != number.data() + number.size())
    throw model::FormatError(
        fmt::format("{}: error: is no log of a process: its name has no time", log.string()));
  return time;
}

// Reads the logs. A program is identified by its process and its number there.
class Reader {
public:
  explicit Reader(fs::path folder) : folder_(std::move(folder)) {}

  void read(const fs::path& log) {
    ++records_.processes;
    records_.reads.push_back(read_hashes(fs::path(log).replace_extension(".reads")));
    const std::string process = log.stem().string();
    std::ifstream stream(log, std::ios::binary);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      if (const std::optional<Json> event = finished(line))
        try {
          read(process, *event);
        } catch (const std::exception& error) {
          throw model::FormatError(
              fmt::format("{}:{}: error: {}", log.string(), number, error.what()));
        }
    }
  }

  RunRecords take() { return std::move(records_); }

private:
  void read(const std::string& process, const Json& event) {
    const auto kind = event.at("event").get<std::string>();
    const unsigned number = event.value("program", 0u);
    if (kind == "program") {
      BuiltSource program;
      program.process = process;
      program.number = number;
      program.stem = event.value("stem", "");
      program.name = event.value("name", "");
      program.source = event.value("source", "");
      program.cl_std = event.value("cl_std", "");
      program.definitions = event.value("definitions", std::vector<std::string>());
      program.include_dirs = event.value("include_dirs", std::vector<std::string>());
      program.build_options = event.value("build_options", std::vector<std::string>());
      program.wanted = event.at("wanted").get<bool>();
      stems_[{process, number}] = program.stem;
      records_.programs.push_back(std::move(program));
    } else if (kind == "state") {
      records_.states.push_back(read_state(process, number, event));
    } else if (kind == "read_by_threads") {
      records_.read_by_threads = true;
      std::ranges::sort(records_.reads.back());
    } else if (kind == "read") {
      RecordedRead kept{.process = process,
                        .index = event.at("index").get<std::size_t>(),
                        .file = folder_ / event.at("file").get<std::string>(),
                        .argument = event.value("argument", ""),
                        .element = std::nullopt};
      if (event.contains("element"))
        kept.element = model::type_from_json(event.at("element"));
      records_.kept.push_back(std::move(kept));
    } else if (kind == "launch") {
      records_.launches.push_back(read_launch(process, number, event));
    } else if (kind == "simulated") {
      records_.simulated.push_back(read_simulation(process, number, event));
    } else if (kind == "host_finding") {
      records_.of_host.push_back(model::finding_from_json(event.at("finding")));
    } else if (kind == "trials") {
      add_trials(folder_ / event.at("file").get<std::string>());
    } else if (kind == "trial_noticed") {
      // The first process counts, as in a run with the mutant.
      const auto reason = model::kill_reason_named(event.at("reason").get<std::string>());
      records_.trials.notices.try_emplace(
          event.at("trial").get<std::size_t>(),
          RecordedTrials::Notice{reason.value_or(model::KillReason::WrongOutput),
                                 event.at("detail").get<std::string>()});
    } else if (kind == "untried") {
      records_.trials.untried.emplace_back(event.at("kernel").get<std::string>(),
                                           event.at("reason").get<std::string>());
    } else if (kind == "not_measured") {
      NotMeasured entry{.program = event.contains("program") ? stems_[{process, number}] : "",
                        .kernel = event.value("kernel", ""),
                        .reason = event.at("reason").get<std::string>()};
      if (std::ranges::find(records_.not_measured, entry) == records_.not_measured.end())
        records_.not_measured.push_back(std::move(entry));
    }
  }

  // Adds the trials of a process. A difference in one process counts more than a notice in another.
  void add_trials(const fs::path& file) {
    using model::TrialResult;
    const std::string bytes = model::read_text(file).value_or("");
    std::vector<TrialResult>& all = records_.trials.results;
    all.resize(std::max(all.size(), bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto result = static_cast<TrialResult>(bytes[i]);
      if (result > TrialResult::Noticed)
        throw model::FormatError(file.string() + ": error: trial " + std::to_string(i) +
                                 " has an unknown result");
      if (all[i] == TrialResult::Nothing || result == TrialResult::Begun ||
          (result == TrialResult::Differs && all[i] != TrialResult::Begun))
        all[i] = result;
    }
  }

  RecordedState read_state(const std::string& process, unsigned number, const Json& event) const {
    RecordedState state;
    state.process = process;
    state.program = number;
    state.kernel = event.at("kernel").get<std::string>();
    state.device = event.at("device").get<std::string>();
    state.device_type = event.value("device_type", "");
    state.variant = event.at("variant").get<std::string>();
    state.file = folder_ / event.at("file").get<std::string>();
    state.launch = event.value("launch", std::uint64_t{0});
    state.ordered = event.value("ordered", false);
    state.test_case = event.value("case", "");
    state.note = event.value("note", "");
    if (event.contains("sizes"))
      state.sizes = model::required<model::Sizes>(event, "sizes");
    return state;
  }

  RecordedSimulation read_simulation(const std::string& process, unsigned number,
                                     const Json& event) {
    RecordedSimulation simulation;
    simulation.process = process;
    simulation.program = number;
    simulation.kernel = event.at("kernel").get<std::string>();
    simulation.launch = event.at("launch").get<std::uint64_t>();
    simulation.sizes = model::required<model::Sizes>(event, "sizes");
    simulation.seconds = event.at("seconds").get<double>();
    for (const Json& told : event.at("findings")) {
      const std::pair known{process, told.at("number").get<std::size_t>()};
      if (told.contains("finding"))
        findings_[known] = model::finding_from_json(told.at("finding"));
      simulation.findings.push_back(findings_[known]);
      simulation.findings.back().count = told.at("count").get<std::uint64_t>();
    }
    return simulation;
  }

  RecordedLaunch read_launch(const std::string& process, unsigned number, const Json& event) {
    RecordedLaunch launch;
    launch.process = process;
    launch.program = number;
    launch.kernel = event.at("kernel").get<std::string>();
    launch.global_size = event.at("global_size").get<std::vector<std::size_t>>();
    launch.local_size = event.at("local_size").get<std::vector<std::size_t>>();
    launch.global_offset = event.at("global_offset").get<std::vector<std::size_t>>();
    for (const Json& argument : event.at("arguments")) {
      launch.arguments.push_back(
          {model::required_named(argument, "kind", model::argument_kind_named),
           argument.at("size").get<std::size_t>(), argument.value("before", std::size_t{0}),
           argument.value("after", std::size_t{0})});
      if (argument.contains("given"))
        launch.arguments.back().given = argument.at("given").dump();
      if (argument.contains("pixel"))
        launch.arguments.back().pixel = model::type_from_json(argument.at("pixel"));
    }
    launch.file = folder_ / event.at("file").get<std::string>();
    return launch;
  }

  fs::path folder_;
  RunRecords records_;
  std::map<std::pair<std::string, unsigned>, std::string> stems_;
  std::map<std::pair<std::string, std::size_t>, model::Finding> findings_;
};

} // namespace

std::optional<StateFile> read_state_file(const fs::path& file) {
  constexpr std::size_t kHeaderBytes = 64;
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  StateFile state;
  if (bytes.size() < kHeaderBytes + sizeof state.launches)
    return std::nullopt;
  state.bytes.resize(bytes.size() - sizeof state.launches);
  std::memcpy(state.bytes.data(), bytes.data(), state.bytes.size());
  std::memcpy(&state.launches, bytes.data() + state.bytes.size(), sizeof state.launches);
  return state;
}

void prepare_run_folder(const fs::path& folder, const RunSettings& settings) {
  std::error_code error;
  fs::remove_all(folder, error);
  fs::create_directories(folder / "sources", error);
  if (error)
    throw model::WriteError(folder, error);
  runtime::write_run_settings(settings, folder);
}

ChildResult run_recorded(const ChildSettings& child, const fs::path& folder,
                         const RunSettings& settings) {
  return process::run_undisturbed(child.command.front(), {}, [&] {
    prepare_run_folder(folder, settings);
    return child;
  });
}

std::filesystem::path coverage_variant(const BuiltSource& program, const RunSettings& settings) {
  runtime::InstrumentRequest request;
  request.source = program.source;
  request.source_root = settings.source_root;
  request.settings.definitions = program.definitions;
  request.settings.cl_std = program.cl_std;
  for (const std::string& folder : program.include_dirs)
    request.settings.include_dirs.emplace_back(folder);
  return runtime::instrument(request, runtime::find_driver(settings.driver),
                             settings.cache / "variants");
}

RunRecords read_run_folder(const fs::path& folder) {
  std::vector<fs::path> logs;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl")
      logs.push_back(entry.path());
  std::ranges::sort(logs, {}, beginning);
  Reader reader(folder);
  for (const fs::path& log : logs)
    reader.read(log);
  RunRecords records = reader.take();
  records.no_device = fs::exists(folder / "no-device");
  return records;
}

bool is_skipped(const ChildResult& result, const RunRecords& records) {
  return result.exit_code == kSkipped || (records.no_device && !result.succeeded());
}

} // namespace gputest::program
