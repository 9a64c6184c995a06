// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs items of mutation work in worker processes, which may die.
#pragma once

#include "runtime/analyses/mutation/messages.h"
#include "runtime/analyses/mutation/worker.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::runtime {

// The original fails its own tests, so nothing can be said of mutants. what() says where and how.
class BaselineFailed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// mutants.json for this device, and its folder: as the build made it, or made anew.
struct DeviceMutants {
  std::filesystem::path folder;
  model::MutantTable table;
};
DeviceMutants device_mutants(const Plan& plan);

using messages::ItemResult;

struct OriginalResult {
  bool deterministic = true;
  std::vector<std::vector<std::uint32_t>> reached; // by case: bits of sites; empty: unknown
  std::vector<std::uint32_t> harm; // bits of guards and votes that report something in the original
};

struct MutationSession {
  std::string device;
  // The device's compiler's log for mutants.cl. Empty: it accepts mutants.cl as a whole; otherwise
  // the pieces that it accepts are in job.builds.pieces.
  std::string rejected;
  double build_seconds = 0; // from building mutants.cl until the original has run
  double seconds = 0;       // of the items
  OriginalResult original;

  // Runs all items of `job` and calls `on_result` for each, in order. Throws BaselineFailed, and
  // what run_isolated() throws.
  void run(MutationJob& job,
           const std::function<void(std::size_t item, const ItemResult&)>& on_result);
};

} // namespace gputest::runtime
