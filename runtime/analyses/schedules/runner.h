// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one test case under schedules.
#pragma once

#include "model/schedules/schedule.h"
#include "runtime/cases/bound_case.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

constexpr unsigned kUnnumberedLoop = ~0u;

struct ScheduleRun {
  std::vector<Bytes> outputs; // at the positions of ScheduleRunner::outputs()
  std::string overrun;        // a write past the end of a buffer; empty: none
  // Something else that no kernel may do, where the machine reports it. Empty: nothing.
  std::string fault{};
  // The number of a loop that used up its budget. 0: none. kUnnumberedLoop: a loop that waits_file
  // and waits_line name.
  unsigned waits_in = 0;
  std::string waits_file{};
  unsigned waits_line = 0, waits_column = 0; // line 0: unknown
  // With trace: iterations of loops that may wait, of the busiest work-item.
  std::uint32_t iterations = 0;
};

// Returns the positions of the arguments that a schedule must not change: those that are compared
// with an oracle. Where none is, all buffers and images that the kernel may write.
std::vector<std::size_t> outputs_of(const BoundCase& test_case);
// Returns the positions of what runs keep: outputs_of(), and behind them what else the kernel may
// write and is read back, which is not compared.
std::vector<std::size_t> kept_of(const BoundCase& test_case);

class ScheduleRunner {
public:
  virtual ~ScheduleRunner() = default;

  virtual const BoundCase& test_case() const = 0;              // has a local size
  virtual const std::vector<std::size_t>& outputs() const = 0; // as kept_of() says
  const model::Sizes& sizes() const { return sizes_; }

  // Runs the case from its initial memory. `budget`: iterations of loops that may wait. Once a loop
  // has used it up, groups that have not been launched do not run. Throws DeviceError, and
  // FormatError where the schedule does not fit.
  virtual ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget,
                          bool trace = false) = 0;
  virtual std::uint64_t runs() const = 0;

  // Returns a runner of another case of the same kernel. It must not outlive this one.
  virtual std::unique_ptr<ScheduleRunner> like(BoundCase test_case) const = 0;

protected:
  model::Sizes sizes_{};
};

} // namespace gputest::runtime
