// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/plain_comparison.h"

#include "model/checks/checks.h"
#include "model/files.h"
#include "program/read_baseline.h"
#include "store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSuspects = 20; // kernels that are instrumented alone, with one run each

struct Ended {
  std::string result;
  RunRecords records;
};

class Comparer {
public:
  explicit Comparer(const MeasuredRun& measured) : measured_(measured) {
    is_fair_ = measured.input_from.has_value();
  }

  Comparison compare(const RunRecords& records, const std::set<std::string>& launched) {
    const Ended first{measured_.result.text(), records};
    if (read_known() && difference(first).empty()) {
      comparison_.is_known = true;
      return take();
    }
    known_ = {};
    results_.clear();
    look(run_plain());
    if (difference(first).empty()) {
      write_known();
      return take();
    }
    look(run_plain()); // it may vary by itself
    std::string found = difference(first);
    if (!found.empty())
      found = confirm(first);
    if (found.empty()) {
      write_known();
      return take();
    }
    comparison_.difference = std::move(found);
    comparison_.opinion = opinion(first);
    if (launched.size() > 1 && launched.size() <= kMostSuspects)
      for (const std::string& kernel : launched)
        if (!difference(run_measured({kernel})).empty())
          comparison_.kernels.push_back(kernel);
    if (launched.size() == 1)
      comparison_.kernels.assign(launched.begin(), launched.end());
    return take();
  }

private:
  // Returns a difference that occurs again with instrumentation, or that never occurs without. If
  // the input could not be repeated, earlier runs had another input than the first.
  std::string confirm(const Ended& first) {
    std::string again = difference(run_measured({}));
    if (!again.empty() || !is_fair_)
      return again;
    look(run_plain());
    look(run_plain());
    const std::string found = difference(first);
    return found.empty() ? ""
                         : fmt::format("{} in one of two runs with instrumentation, and in none of "
                                       "{} without",
                                       found, comparison_.runs - 1);
  }

  // Runs the program's own kernels and the instrumented ones in the simulator, the former with the
  // checks that are on by default. Only equal results say something: numbers of other devices may
  // differ in their last bits.
  model::Opinion opinion(const Ended& first) {
    if (measured_.judge.empty() || measured_.run.simulator)
      return {};
    const auto simulated = [&](const char* measure, std::vector<std::string> checks) {
      RunSettings run = measured_.run;
      run.simulator = runtime::SimulatedProgram{measured_.judge, {.checks = std::move(checks)}};
      run.each_launch = false;
      if (measure)
        run.measure = measure;
      return this->run(std::move(run));
    };
    const Ended plain = simulated("check", model::default_checks());
    for (const RecordedSimulation& launch : plain.records.simulated)
      if (const auto decided = model::opinion_of(launch.findings))
        return *decided;
    const bool original_is_right = difference(plain).empty();
    const std::set<std::string> results = std::exchange(results_, {plain.result});
    const ReadBaseline known = std::exchange(known_, {});
    known_.add(plain.records.reads);
    const bool variant_is_right = difference(first).empty();
    const bool same = difference(simulated(nullptr, {})).empty();
    results_ = results;
    known_ = known;
    return {model::guilty_of(original_is_right, variant_is_right, same)};
  }

  Comparison take() {
    comparison_.pieces = known_.count();
    comparison_.varying = known_.varying();
    return std::move(comparison_);
  }

  std::string difference(const Ended& ended) const {
    if (!results_.contains(ended.result))
      return fmt::format("it ends with {} instead of {}", ended.result, *results_.begin());
    return known_.difference(ended.records.reads);
  }

  void look(const Ended& plain) {
    results_.insert(plain.result);
    known_.add(plain.records.reads);
  }

  Ended run_plain() {
    RunSettings run = measured_.run;
    run.measure = run.simulator ? "check" : "nothing"; // the simulator then runs without checks
    run.each_launch = false;
    return this->run(std::move(run));
  }

  Ended run_measured(std::set<std::string> only_kernels) {
    RunSettings run = measured_.run;
    run.only_kernels = std::move(only_kernels);
    return this->run(std::move(run));
  }

  Ended run(RunSettings run) {
    run.reads = true;
    const fs::path folder = measured_.run_folder.parent_path() / "compared";
    ChildSettings child = measured_.child;
    child.environment["GPUTEST_RUN"] = folder.string();
    child.output = folder / "output.txt";
    child.input_from = measured_.input_from;
    ++comparison_.runs;
    const ChildResult result = run_recorded(child, folder, run);
    Ended ended{result.text(), read_run_folder(folder)};
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return ended;
  }

  fs::path known_file() const {
    const Json key{{"command", measured_.child.command},
                   {"directory", fs::current_path().string()},
                   {"simulator", measured_.run.simulator.has_value()}};
    return measured_.run.cache / "plain" / (store::content_hash(key.dump()) + ".json");
  }

  // Reads what the cache knows. If that no longer holds, the first run differs, and the comparison
  // runs anew.
  bool read_known() {
    const auto text = model::read_text(known_file());
    if (!text)
      return false;
    try {
      const Json json = Json::parse(*text);
      results_ = json.at("results").get<std::set<std::string>>();
      known_ = ReadBaseline::from_json(json.at("reads"));
      return !results_.empty();
    } catch (const Json::exception&) { // damaged
      return false;
    }
  }

  void write_known() const {
    std::error_code error;
    fs::create_directories(known_file().parent_path(), error);
    if (!error)
      model::write_atomically(known_file(),
                              Json{{"results", results_}, {"reads", known_.to_json()}}.dump());
  }

  const MeasuredRun& measured_;
  bool is_fair_ = false;          // all runs have the same input
  std::set<std::string> results_; // what runs without instrumentation read back
  ReadBaseline known_;
  Comparison comparison_;
};

} // namespace

Comparison compare_with_plain(const MeasuredRun& measured, const RunRecords& records,
                              const std::set<std::string>& launched) {
  return Comparer(measured).compare(records, launched);
}

} // namespace gputest::program
