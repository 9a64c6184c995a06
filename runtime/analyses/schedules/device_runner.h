// Schedules on an OpenCL device: memory objects are made once, programs are built when the first
// schedule needs them.
#pragma once

#include "runtime/analyses/schedules/runner.h"
#include "runtime/machine/opencl/case_memory.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/schedule_state.h"

#include <map>
#include <optional>

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

class DeviceScheduleRunner : public ScheduleRunner {
public:
  // Where the case has no local size, one is chosen. All must outlive the runner. Throws
  // DeviceError where the device has no memory for the order of so many groups.
  DeviceScheduleRunner(const Context& context, SchedulePrograms& programs, BoundCase test_case,
                       std::string kernel);

  const BoundCase& test_case() const override { return memory_.test_case(); }
  const std::vector<std::size_t>& outputs() const override { return outputs_; }
  ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget, bool trace) override;
  std::uint64_t runs() const override { return runs_; }
  std::unique_ptr<ScheduleRunner> like(BoundCase test_case) const override;

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
  CaseMemory memory_;
  std::vector<std::uint32_t> header_;
  cl::Buffer state_;
  std::map<std::pair<bool, bool>, cl::Kernel> kernels_;
  std::optional<Prepared> prepared_; // what the state buffer holds
  std::uint64_t runs_ = 0;
};

} // namespace gputest::runtime
