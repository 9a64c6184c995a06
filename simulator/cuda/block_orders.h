// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries other orders of a launch's blocks. CUDA promises no order, so the resulting memory must not
// depend on it. The idea is that of CLSchedule. Here, each launch is repeated from the memory that
// it found, and the program does not notice.
#pragma once

#include "model/schedules/results.h"
#include "simulator/cuda/launch.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

struct OrderSettings {
  std::vector<model::Order> orders;
  bool is_only = false; // launches run in the one order alone, and nothing is compared
  double tolerance = 0; // tolerated relative difference of floating-point numbers
};

// Reads GPUTEST_CUDA_SCHEDULES, "<number of orders> <seed> <strategy> <tolerance>". Strategies:
// "all" tries the reverse order, then random ones from the seed on; "reverse" only the reverse
// order; "permute" only random ones. "only-reverse" and "only-permute" are one order, in which each
// launch runs instead of its own. Throws InputError.
OrderSettings order_settings(const std::string& text);

class BlockOrders {
public:
  explicit BlockOrders(const OrderSettings& settings) : settings_(settings) {}

  struct Run {
    Launched launched;
    // The result: Held, WithinTolerance, OrderDependent, or Error with a message on what was not
    // tried. nullopt: this launch was not tried.
    std::optional<model::ScheduledCase> scheduled;
  };
  // Makes a launch by `run`. If it is the kernel's first, second, fourth, eighth … launch, also
  // tries the other orders, each in a fork (apart.h). Memory and results are those of the first
  // run. A kernel with a finding is not tried again. With OrderSettings::is_only, it makes the
  // launch in that order. `name`: returns an allocation's name for messages.
  Run launch(const std::string& kernel, const Launch& what, Device& device,
             const std::function<Launched(const Launch&)>& run,
             const std::function<std::string(const Region&)>& name);

private:
  struct Tried {
    std::uint64_t launches = 0;
    bool found = false;
  };
  OrderSettings settings_;
  std::map<std::string, Tried> tried_; // by kernel
};

} // namespace gputest::simulator::cuda
