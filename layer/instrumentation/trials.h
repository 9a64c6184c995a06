// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries mutants on the launches of a run without a mutant (docs/internals/layer.md,
// "Mutants that change nothing"). A launch is made again with each mutant, from the memory that it
// found. If all launches leave the same as without the mutant, a run of the program with the mutant
// would not differ from this run.
#pragma once

#include "layer/instrumentation/instrumentation.h"
#include "layer/instrumentation/settings.h"
#include "layer/run_log.h"
#include "model/mutation/trials.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gputest::layer {

class Trials {
public:
  // Both must outlive this. Results are a file of the run folder with a byte for each of
  // Settings::trials, so they survive the process.
  Trials(RunLog& log, const Settings& settings);

  struct Made {
    bool launched = false; // the device accepted it
    runtime::Bytes state;  // the state after the launch
    std::vector<runtime::Bytes> memory;
  };
  // Makes the launch from the memory that it found. Throws std::exception.
  using Make = std::function<Made(const LaunchPlan& plan)>;

  // Returns whether some trial of the source is still open.
  bool wants(const std::string& stem);

  // Tries the mutants that the launch reaches. Throws what `make` throws. Throws std::runtime_error
  // where the launch does not leave the same each time, does harm by itself, or takes longer than
  // the runs of the program that it may save.
  void look(const Instrumentation& instrumentation, const RequestedLaunch& request,
            const std::string& stem, const Make& make);

  // Gives up trials on launches of the kernel, for this reason. Each trial of its source then needs
  // a run of the program.
  void give_up(const std::string& stem, const std::string& label, const std::string& reason);

private:
  struct Original {
    std::vector<std::uint32_t> reached; // bits of sites
    bool is_same = false;               // made again, the launch leaves what it left as launched
  };
  // Launches of one source that were made again.
  struct Cost {
    double seconds = 0;
    std::size_t launches = 0;
  };
  // The trials of a source that are still to be made; entries that are not open are dropped.
  std::vector<std::size_t>& open(const std::string& stem);
  bool is_concerned(const std::string& stem, const RequestedLaunch& request,
                    const std::vector<std::uint32_t>& reached, const model::MutantTable& table);
  void count(const std::string& stem, double seconds);
  std::byte& result(std::size_t index);
  void set(std::size_t index, model::TrialResult result) {
    this->result(index) = std::byte(result);
  }
  bool is_open(std::size_t index) {
    return result(index) == std::byte(model::TrialResult::Nothing);
  }
  model::TrialResult judge(std::size_t index, const Made& made,
                           const Instrumentation& instrumentation);

  RunLog& log_;
  const Settings& settings_;
  std::mutex mutex_;
  std::unique_ptr<MappedFile> results_;
  std::map<std::string, std::vector<std::size_t>> open_; // by source; ascending
  std::map<std::string, Cost> costs_;                    // by source
  std::vector<runtime::Bytes> expected_;                 // what the launch leaves without a mutant
  std::set<std::string> told_;
};

} // namespace gputest::layer
