// Running one test case under schedules: memory objects are made once, programs are built when the
// first schedule needs them.
#pragma once

#include "model/schedule.h"
#include "model/schedule_sites.h"
#include "runtime/case_memory.h"
#include "runtime/schedule_state.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// schedule.cl of a folder, built for this device in the ways that schedules need.
class SchedulePrograms {
public:
  // `settings`: for a text that is preprocessed. `name` is what messages call it.
  SchedulePrograms(const Context& context, std::string text, BuildSettings settings,
                   std::string name);

  // items: work-items have an order of their own; flat: groups are launched in parts. Throws
  // BuildError.
  const BuiltProgram& get(bool items, bool flat);

private:
  const Context& context_;
  std::string text_, name_;
  BuildSettings settings_;
  std::map<std::pair<bool, bool>, BuiltProgram> programs_;
};

struct ScheduleRun {
  std::vector<Bytes> outputs;   // of the positions outputs_of() names
  std::string overrun;          // of a buffer; empty: none
  unsigned waits_in = 0;        // number of a loop that used up its budget; 0: none
  std::uint32_t iterations = 0; // traced: the most that a work-item did in loops that may wait
};

// Positions of the arguments a schedule must not change: those compared with an oracle, or without
// such all that the kernel may write.
std::vector<std::size_t> outputs_of(const BoundCase& test_case);

class ScheduleRunner {
public:
  // Where the case has no local size, one is chosen. All must outlive the runner. Throws
  // DeviceError where the device has no memory for the order of so many groups.
  ScheduleRunner(const Context& context, SchedulePrograms& programs, BoundCase test_case,
                 std::string kernel);

  // Another case of the same kernel.
  ScheduleRunner(const ScheduleRunner& like, BoundCase test_case)
      : ScheduleRunner(like.context_, like.programs_, std::move(test_case), like.kernel_name_) {}

  const BoundCase& test_case() const { return memory_.test_case(); }
  const model::Sizes& sizes() const { return sizes_; }
  const std::vector<std::size_t>& outputs() const { return outputs_; }

  // From the case's initial memory. `budget`: of loops that may wait; once one has used it up,
  // groups that have not been launched are not run. Throws DeviceError, FormatError where the
  // schedule does not fit.
  ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget, bool trace = false);
  std::uint64_t runs() const { return runs_; }

private:
  struct Prepared {
    model::Schedule schedule;
    bool items = false, flat = false;
    std::vector<Part> parts; // flat
  };

  const Prepared& prepare(const model::Schedule& schedule);
  const cl::Kernel& kernel(bool items, bool flat);
  void launch(const Prepared& prepared);
  void read_header();

  const Context& context_;
  SchedulePrograms& programs_;
  std::string kernel_name_;
  std::vector<std::size_t> outputs_;
  model::Sizes sizes_;
  CaseMemory memory_;
  std::vector<std::uint32_t> header_;
  cl::Buffer state_;
  std::map<std::pair<bool, bool>, cl::Kernel> kernels_;
  std::optional<Prepared> prepared_; // what the state buffer holds
  std::uint64_t runs_ = 0;
};

} // namespace gputest::runtime
