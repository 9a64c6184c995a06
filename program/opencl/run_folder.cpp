// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/run_folder.h"

#include "model/files.h"
#include "model/interface.h"
#include "process/undisturbed.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace gputest::program {
namespace fs = std::filesystem;
namespace {

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
    process_ = log.stem().string();
    std::ifstream stream(log, std::ios::binary);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      try {
        if (std::optional<runtime::RunEvent> event = runtime::read_run_event(line)) {
          if (number == 1)
            runtime::expect_log_format(*event);
          std::visit([&](auto& one) { add(std::move(one)); }, *event);
        }
      } catch (const model::FormatError& error) {
        throw model::FormatError(
            fmt::format("{}:{}: error: {}", log.string(), number, error.what()));
      }
    }
  }

  RunRecords take() { return std::move(records_); }

private:
  void add(const runtime::ProcessEvent& /*event*/) {}

  void add(runtime::ProgramEvent&& event) {
    stems_[{process_, event.number}] = event.stem;
    records_.programs.push_back({std::move(event), process_});
  }

  void add(runtime::StateEvent&& event) {
    event.file = folder_ / event.file;
    records_.states.push_back({std::move(event), process_});
  }

  void add(const runtime::ReadByThreadsEvent& /*event*/) {
    records_.read_by_threads = true;
    std::ranges::sort(records_.reads.back());
  }

  void add(runtime::ReadEvent&& event) {
    event.file = folder_ / event.file;
    records_.kept.push_back({std::move(event), process_});
  }

  void add(runtime::LaunchEvent&& event) {
    event.file = folder_ / event.file;
    records_.launches.push_back({std::move(event), process_});
  }

  void add(const runtime::SimulatedEvent& event) {
    RecordedSimulation simulation{.process = process_,
                                  .program = event.program,
                                  .kernel = event.kernel,
                                  .launch = event.launch,
                                  .sizes = event.sizes,
                                  .seconds = event.seconds};
    for (const runtime::NumberedFinding& seen : event.findings) {
      model::Finding& known = findings_[{process_, seen.number}];
      if (seen.finding)
        known = *seen.finding;
      simulation.findings.push_back(known);
      simulation.findings.back().count = seen.count;
    }
    records_.simulated.push_back(std::move(simulation));
  }

  void add(const runtime::HostFindingEvent& event) { records_.of_host.push_back(event.finding); }

  // Adds the trials of a process. A difference in one process counts more than a notice in another.
  void add(const runtime::TrialsEvent& event) {
    using model::TrialResult;
    const fs::path file = folder_ / event.file;
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

  // The first process counts, as in a run with the mutant.
  void add(const runtime::TrialNoticedEvent& event) {
    records_.trials.notices.try_emplace(event.trial,
                                        RecordedTrials::Notice{event.reason, event.detail});
  }

  void add(const runtime::UntriedEvent& event) {
    records_.trials.untried.emplace_back(event.kernel, event.reason);
  }

  void add(const runtime::NotMeasuredEvent& event) {
    NotMeasured entry{.program = event.program ? stems_[{process_, *event.program}] : "",
                      .kernel = event.kernel.value_or(""),
                      .reason = event.reason};
    if (std::ranges::find(records_.not_measured, entry) == records_.not_measured.end())
      records_.not_measured.push_back(std::move(entry));
  }

  fs::path folder_;
  std::string process_; // whose log is read
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
  request.source = program.source.value_or("");
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
