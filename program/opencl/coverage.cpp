// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/coverage.h"

#include "gputest/error.h"
#include "model/coverage/cases.h"
#include "model/file_patterns.h"
#include "runtime/variants/coverage_collector.h"
#include "runtime/variants/coverage_state.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace gputest::program {
namespace fs = std::filesystem;
namespace {

struct State {
  runtime::Recorded recorded;
  std::uint64_t launches = 0;
};

// nullopt: the kernel overwrote it, or the process died while it made the file.
std::optional<State> read_state(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  State state;
  if (bytes.size() < 64 + sizeof state.launches)
    return std::nullopt;
  const std::size_t size = bytes.size() - sizeof state.launches;
  std::memcpy(&state.launches, bytes.data() + size, sizeof state.launches);
  runtime::Bytes words(size);
  std::memcpy(words.data(), bytes.data(), size);
  try {
    state.recorded = runtime::read_state(words);
  } catch (const Error&) {
    return std::nullopt;
  }
  return state;
}

void add(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& words, bool bits) {
  into.resize(std::max(into.size(), words.size()));
  for (std::size_t i = 0; i < words.size(); ++i)
    into[i] = bits ? into[i] | words[i] : into[i] != 0 ? into[i] : words[i];
}

class Collection {
public:
  Collection(const RunSettings& settings, std::string name, const JudgedRun& run)
      : settings_(settings), name_(std::move(name)), run_(run) {}

  // Adds `states`, which are those of one program of one process.
  void add(const BuiltSource& program, const std::vector<const RecordedState*>& states,
           std::vector<NotMeasured>& not_measured) {
    std::map<fs::path, std::vector<const RecordedState*>> variants;
    for (const RecordedState* state : states)
      variants[state->variant].push_back(state);
    if (variants.empty()) {
      if (is_told(not_measured, program, ""))
        return; // nothing is known of it: it is not 0 %
      const auto folder = folder_of(program, not_measured);
      if (!folder)
        return;
      variants[*folder] = {};
    }
    for (const auto& [folder, of_variant] : variants)
      add_variant(program, folder, of_variant, not_measured);
  }

  std::vector<KernelCoverage> take() {
    std::vector<KernelCoverage> kernels;
    for (auto& [folder, kernel] : kernels_) {
      const auto is_programs = [&](const model::CaseRecord& record) {
        return record.name == name_;
      };
      std::vector<model::CaseRecord>& cases = kernel.coverage.cases;
      // Where all launches are those of tests, the program is no case.
      if (!with_own_case_.contains(folder) && !std::ranges::all_of(cases, is_programs))
        std::erase_if(cases, is_programs);
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  }

private:
  // Whether `kernel` of the program, or "" for all of them, could not be measured at some time.
  static bool is_told(const std::vector<NotMeasured>& not_measured, const BuiltSource& program,
                      const std::string& kernel) {
    return std::ranges::any_of(not_measured, [&](const NotMeasured& entry) {
      return entry.program == program.stem && entry.kernel == kernel;
    });
  }

  // Returns the folder of the variant of a program that launched nothing.
  std::optional<fs::path> folder_of(const BuiltSource& program,
                                    std::vector<NotMeasured>& not_measured) {
    try {
      return coverage_variant(program, settings_);
    } catch (const std::exception& error) {
      not_measured.push_back({program.stem, "", error.what()});
      return std::nullopt;
    }
  }

  void add_variant(const BuiltSource& program, const fs::path& folder,
                   const std::vector<const RecordedState*>& states,
                   std::vector<NotMeasured>& not_measured) {
    const model::SiteTable table = model::read_site_table(folder / "sites.json");
    const model::Interface interface = model::read_interface(folder / "interface.json");
    for (const model::InstrumentedKernel& kernel : table.kernels) {
      runtime::CoverageCollector collector(table, kernel.name);
      model::Coverage& coverage = collector.coverage();
      coverage.name = name_;
      if (const auto* described = interface.find(kernel.name))
        coverage.source = described->file;
      if (model::matches_any(settings_.exclude, coverage.source))
        continue;
      State all;
      std::map<std::string, State> tests; // by name; "": launches of no test
      for (const RecordedState* recorded : states) {
        if (recorded->kernel != kernel.name)
          continue;
        const auto state = read_state(recorded->file);
        if (!state) {
          not_measured.push_back(
              {program.stem, kernel.name,
               "the kernel overwrote what it recorded: it writes out of bounds"});
          continue;
        }
        if (settings_.each_launch)
          add_share(program.folder_of(kernel.name), *recorded, *state, table);
        for (State* const into : {&all, &tests[recorded->test_case.value_or("")]}) {
          program::add(into->recorded.coverage, state->recorded.coverage, true);
          program::add(into->recorded.divergence, state->recorded.divergence, false);
          into->launches += state->launches;
        }
        coverage.device = recorded->device;
      }
      if (all.launches == 0 && is_told(not_measured, program, kernel.name))
        continue;
      leave_out(coverage);
      for (const auto& [test, state] : tests)
        if (!test.empty() && state.launches > 0)
          coverage.cases.push_back(
              {test, model::CaseVerdict::Passed, "", 0, collector.add(state.recorded, test)});
      if (const auto rest = tests.find(""); rest != tests.end() && rest->second.launches > 0) {
        collector.add(rest->second.recorded, name_);
        with_own_case_.insert(program.folder_of(kernel.name));
      }
      if (coverage.cases.empty() || tests.contains(""))
        coverage.cases.push_back({name_, run_.verdict(), run_.problem, run_.result.seconds});
      merge(program.folder_of(kernel.name), coverage, all.launches);
    }
  }

  // Leaves out sites in files that do not count.
  void leave_out(model::Coverage& coverage) const {
    const auto is_out = [&](const std::string& file) {
      return model::matches_any(settings_.exclude, file);
    };
    std::erase_if(coverage.sites, [&](const auto& site) { return is_out(site.site.file); });
    std::erase_if(coverage.not_instrumented, [&](const auto& entry) { return is_out(entry.file); });
    std::erase_if(coverage.divergent_barriers,
                  [&](const auto& barrier) { return is_out(barrier.barrier.file); });
  }

  void add_share(const std::string& name, const RecordedState& recorded, const State& state,
                 const model::SiteTable& table) {
    runtime::CoverageCollector collector(table, recorded.kernel);
    collector.add(state.recorded, name_);
    leave_out(collector.coverage());
    LaunchShare share;
    const auto known = processes_.try_emplace(recorded.process, processes_.size() + 1).first;
    share.process = static_cast<unsigned>(known->second);
    share.launch = recorded.launch;
    share.launches = state.launches;
    share.sizes = recorded.sizes;
    share.criteria = model::tally(collector.coverage());
    std::set<std::string>& reached = reached_[name];
    for (const model::SiteCoverage& site : collector.coverage().sites)
      for (std::size_t i = 0; i < site.hits.size(); ++i)
        if (site.hits[i] > 0 && reached.insert(fmt::format("{}:{}", site.site.id, i)).second)
          ++share.added;
    kernels_[name].shares.push_back(std::move(share));
  }

  void merge(const std::string& name, const model::Coverage& coverage, std::uint64_t launches) {
    KernelCoverage& kernel = kernels_[name];
    kernel.launches += launches;
    if (kernel.folder.empty()) {
      kernel.folder = name;
      kernel.coverage = coverage;
      return;
    }
    const std::string device = kernel.coverage.device;
    model::merge_by_case(kernel.coverage, coverage); // processes may share a case
    if (coverage.device.empty())
      kernel.coverage.device = device;
  }

  const RunSettings& settings_;
  std::string name_;
  const JudgedRun& run_;
  std::map<std::string, KernelCoverage> kernels_;
  std::set<std::string> with_own_case_;          // kernels with launches that belong to no test
  std::map<std::string, std::size_t> processes_; // numbers of those that launched something
  std::map<std::string, std::set<std::string>> reached_; // by kernel: outcomes of launches so far
};

} // namespace

ProgramCoverage program_coverage(const RunRecords& records, const RunSettings& settings,
                                 const std::string& name, const JudgedRun& run) {
  ProgramCoverage all;
  all.not_measured = records.not_measured;
  all.processes = records.processes;
  Collection collection(settings, name, run);
  for (const BuiltSource& program : records.programs) {
    if (!program.wanted)
      continue;
    std::vector<const RecordedState*> states;
    for (const RecordedState& state : records.states)
      if (state.process == program.process && state.program == program.number)
        states.push_back(&state);
    collection.add(program, states, all.not_measured);
  }
  all.kernels = collection.take();
  return all;
}

} // namespace gputest::program
