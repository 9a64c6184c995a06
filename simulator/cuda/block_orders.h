// Other orders of the blocks of a launch: CUDA promises none, so what a launch leaves in memory may
// not depend on which block runs first. The idea is CLSchedule's; here each launch is repeated from
// the memory that it found, and the program notices nothing.
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
  double tolerance = 0; // relative difference of floating-point numbers that is none
};

// "<number of orders> <seed> <strategy> <tolerance>", as GPUTEST_CUDA_SCHEDULES has it: the
// reverse order, and then random ones from the seed on. Strategies: "all"; "reverse", which has
// that one alone; "permute", which has random ones alone. Throws InputError.
OrderSettings order_settings(const std::string& text);

class BlockOrders {
public:
  explicit BlockOrders(const OrderSettings& settings) : settings_(settings) {}

  struct Run {
    Launched launched;
    // What orders showed: "held", "within tolerance", "order dependent", or "error" with what was
    // not done as its message. Nothing: this launch was not tried.
    std::optional<model::ScheduledCase> scheduled;
  };
  // Runs a launch by `run`, and then, if it is the first, second, fourth, eighth … of its kernel,
  // under the other orders. The memory that is left, and what is told, are those of the first run.
  // Each other order has a copy of the process (apart.h), which a kernel may harm that fails in it.
  // A kernel with a finding is not tried again. Elements are said to differ in what `name` calls
  // an allocation.
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
