// Running items of mutation work in worker processes that may die, for who wants the results.
#pragma once

#include "runtime/analyses/mutation/worker.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::runtime {

// The original fails its own tests, so that nothing can be said of mutants. what() says where and
// how.
class BaselineFailed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// mutants.json for this device and its folder: as they were built, or made anew.
struct DeviceMutants {
  std::filesystem::path folder;
  model::MutantTable table;
};
DeviceMutants device_mutants(const Plan& plan);

struct ItemResult {
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason;
  std::string detail, order;
  std::vector<std::size_t> killed_by; // cases
  unsigned runs = 0;
  double seconds = 0; // of runs, some of them perhaps long ago
  double wall = 0;    // of this item now, building its own program included
  bool executed = false;
};

struct OriginalResult {
  bool deterministic = true;
  std::vector<std::vector<std::uint32_t>> reached; // by case: bits of sites; empty: not known
  std::vector<std::uint32_t> harm; // bits of guards and votes that report what it does by itself
};

struct MutationSession {
  std::string device;
  std::string rejected;      // what the device's compiler says to mutants.cl; empty: it takes it
                             // as a whole, else job.builds.pieces of it
  std::string not_simulated; // why survivors were not looked at in the simulator; empty: they were
  double build_seconds = 0;  // of mutants.cl, until the original has run
  double seconds = 0;        // of the items
  OriginalResult original;

  // Runs all items of `job` and calls `on_result` for each, in order. Throws BaselineFailed, and
  // what run_isolated throws.
  void run(MutationJob& job,
           const std::function<void(std::size_t item, const ItemResult&)>& on_result);
};

} // namespace gputest::runtime
