#include "simulator/execute/run_groups.h"

#include "model/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gputest::simulator {

std::optional<Fault> run_groups(const LoadedCode& code, std::size_t count, double limit,
                                const std::function<void(LoadedCode::Group, std::size_t)>& run) {
  std::size_t next = 0;
  while (true) {
    code.replace_if_due();
    const LoadedCode::Group run_group = code.group();
    const double patience = code.patience();
    const bool is_replaced = !std::isinf(patience);
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Fault> fault = run_guarded(
        [&] {
          do {
            run(run_group, next);
            ++next;
          } while (next < count && !(is_replaced && seconds_since(start) >= patience));
        },
        limit);
    const double seconds = seconds_since(start);
    code.has_run(seconds);
    if (fault || next == count)
      return fault;
    if (limit > 0)
      limit = std::max(limit - seconds, 0.001);
  }
}

} // namespace gputest::simulator
