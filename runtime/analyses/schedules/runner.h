// Running one test case under schedules.
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
  std::vector<Bytes> outputs; // of the positions outputs_of() names
  std::string overrun;        // of a buffer; empty: none
  std::string fault{};        // what else no kernel may do, where a device tells; empty: nothing
  // Number of a loop that used up its budget; 0: none; kUnnumberedLoop: the one that is here.
  unsigned waits_in = 0;
  std::string waits_file{};
  unsigned waits_line = 0, waits_column = 0; // line 0: not known
  std::uint32_t iterations = 0; // traced: the most that a work-item did in loops that may wait
};

// Positions of the arguments a schedule must not change: those compared with an oracle, or without
// such all that the kernel may write.
std::vector<std::size_t> outputs_of(const BoundCase& test_case);

class ScheduleRunner {
public:
  virtual ~ScheduleRunner() = default;

  virtual const BoundCase& test_case() const = 0; // with a local size
  virtual const std::vector<std::size_t>& outputs() const = 0;
  const model::Sizes& sizes() const { return sizes_; }

  // From the case's initial memory. `budget`: iterations of loops that may wait; once one has used
  // it up, groups that have not been launched are not run. Throws DeviceError, FormatError where
  // the schedule does not fit.
  virtual ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget,
                          bool trace = false) = 0;
  virtual std::uint64_t runs() const = 0;

  // A runner of another case of the same kernel. Must not outlive this one.
  virtual std::unique_ptr<ScheduleRunner> like(BoundCase test_case) const = 0;

protected:
  model::Sizes sizes_{};
};

} // namespace gputest::runtime
