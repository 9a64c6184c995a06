// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/worker.h"

#include "runtime/analyses/schedules/case_check.h"
#include "runtime/analyses/schedules/file.h"
#include "runtime/analyses/schedules/ordered_runner.h"
#include "runtime/analyses/schedules/plan.h"
#include "runtime/analyses/schedules/programs.h"
#include "runtime/analyses/schedules/remapped_runner.h"
#include "runtime/plan/oracles.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;
using model::ScheduledCase;

std::string sizes_text(const model::Sizes& sizes) {
  const auto list = [&](const std::array<std::uint64_t, 3>& of) {
    return fmt::format("{}", fmt::join(of.begin(), of.begin() + sizes.dimensions, " x "));
  };
  return fmt::format("global size {}, local size {}, offset {}", list(sizes.global),
                     list(sizes.local), list(sizes.offset));
}

void check_fits(const model::Schedule& schedule, const std::string& kernel,
                const model::Sizes& sizes) {
  if (schedule.kernel != kernel)
    throw UsageError(fmt::format("the schedule is of kernel '{}', and this host program runs '{}': "
                                 "use the one of that kernel",
                                 schedule.kernel, kernel));
  if (schedule.sizes != sizes)
    throw UsageError(
        fmt::format("the schedule is for {}, and case '{}' has {}: make a new one with "
                    "--schedules",
                    sizes_text(schedule.sizes), schedule.test_case, sizes_text(sizes)));
}

// Leaves out orders that are too long to announce before each run.
Json announced(const model::Schedule& schedule) {
  constexpr std::size_t kLongest = 4096;
  const bool too_long = schedule.groups.listed.size() > kLongest ||
                        schedule.items.listed.size() > kLongest || schedule.turns.size() > kLongest;
  return too_long ? Json() : Json(schedule);
}

// The cases of a run, with what both ways of running schedules have in common.
class Cases {
public:
  Cases(const Plan& plan, const KernelDescription& description, const WorkerChannel& channel,
        const model::ScheduleSites& sites, std::uint32_t waiting)
      : plan_(plan), options_(schedule_plan(plan)), description_(description), channel_(channel),
        sites_(sites), waiting_(waiting) {}

  using MakeRunner = std::function<std::unique_ptr<ScheduleRunner>(BoundCase)>;
  using MakeCheck = std::function<CaseCheck(const BoundCase&)>;
  void run(std::size_t first, const MakeRunner& make_runner, const MakeCheck& make_check) const {
    const SearchSettings settings{.strategy = options_.strategy,
                                  .count = options_.count,
                                  .repeat = options_.repeat,
                                  .seed = options_.seed,
                                  .part = options_.shard.number - 1,
                                  .parts = options_.shard.of,
                                  .end = options_.end};
    for (std::size_t i = first; i < plan_.cases.size(); ++i) {
      channel_.start(i);
      channel_.phase(kMakingArguments);
      if (options_.replay && options_.replay->kernel != plan_.kernel)
        check_fits(*options_.replay, plan_.kernel, options_.replay->sizes);
      const TestCase& test_case = plan_.cases[i];
      // Nobody has verified recorded outputs, so the property decides.
      const bool judges = description_.property && !description_.has_reference() &&
                          (test_case.expected.empty() || test_case.recorded);
      BoundCase bound = bind_case(test_case, plan_.interface, plan_.defaults);
      if (judges) // it may look at everything
        read_back_all(bound);
      const std::unique_ptr<ScheduleRunner> runner = make_runner(std::move(bound));
      if (options_.replay)
        check_fits(*options_.replay, plan_.kernel, runner->sizes());
      channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
      ScheduleSearch search(
          *runner, sites_, plan_.kernel, settings, waiting_,
          [&](const model::Schedule& schedule) { channel_.start(i, 0, announced(schedule)); });
      if (judges)
        search.judge_by(property_of(*runner));
      channel_.done(i, (options_.replay ? search.replay(*options_.replay)
                                        : search.run(make_check(runner->test_case()))));
    }
  }

private:
  ScheduleSearch::AlsoRight property_of(const ScheduleRunner& runner) const {
    return [&](const std::vector<Bytes>& outputs) {
      channel_.phase(kProperty);
      BoundCase computed = runner.test_case();
      for (std::size_t i = 0; i < outputs.size(); ++i)
        computed.arguments[runner.outputs()[i]].bytes = outputs[i];
      const bool holds = wrong_with(description_.property, runner.test_case(), computed).empty();
      channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
      return holds;
    };
  }

  const Plan& plan_;
  const SchedulePlan& options_;
  const KernelDescription& description_;
  const WorkerChannel& channel_;
  const model::ScheduleSites& sites_;
  std::uint32_t waiting_;
};

// Runs the author's own text, because nothing needs to be remapped.
void run_ordered(const Plan& plan, const KernelDescription& description, Machine& machine,
                 const WorkerChannel& channel, std::size_t first) {
  const model::ScheduleSites sites = known_sites(plan);
  channel.info(ScheduleInfo{machine.name()});
  const Subject subject = original_subject(plan);
  const auto kernel = machine.build(subject.text, subject.settings, subject.kernel, subject.source);
  // The process is ended after the timeout; before that the machine says where the kernel is.
  const double limit = plan.timeout * kOfLimit;
  Cases(plan, description, channel, sites, kWaitingOnCpu)
      .run(
          first,
          [&](BoundCase test_case) {
            return std::make_unique<OrderedRunner>(machine, *kernel, std::move(test_case), limit,
                                                   kWaitingOnCpu);
          },
          [&](const BoundCase& test_case) {
            return case_check(checked_access(machine, *kernel, test_case, limit), sites,
                              plan.kernel, test_case);
          });
}

void run_remapped(const Plan& plan, const KernelDescription& description, Machine& machine,
                  const WorkerChannel& channel, std::size_t first) {
  if (!machine.has_atomics())
    throw UsageError(
        fmt::format("{} has no 32-bit atomics (cl_khr_global_int32_base_atomics), which "
                    "schedules need: choose another with DEVICE (--device)",
                    machine.name()));
  const fs::path folder = schedule_folder(plan, read_sites(plan.kernel_dir), machine);
  const model::ScheduleSites sites = read_sites(folder);
  channel.info(ScheduleInfo{machine.name(), folder.string()});
  if (!sites.not_remapped_in(plan.kernel).empty())
    return; // the parent reports that
  Subject guarded = schedule_subject(plan, folder, "guarded.cl");
  guarded.mutants = sites.guarded;
  SchedulePrograms programs(machine, schedule_subject(plan, folder, "schedule.cl"));
  const std::uint32_t waiting = machine.is_cpu() ? kWaitingOnCpu : kWaitingOnGpu;
  Cases(plan, description, channel, sites, waiting)
      .run(
          first,
          [&](BoundCase test_case) {
            return std::make_unique<RemappedRunner>(machine, programs, std::move(test_case),
                                                    plan.kernel);
          },
          [&](const BoundCase& test_case) {
            return case_check(guarded_access(machine, guarded, test_case), sites, plan.kernel,
                              test_case);
          });
}

} // namespace

void try_schedules(const Plan& plan, const KernelDescription& description,
                   const WorkerChannel& channel, std::size_t first) {
  const std::unique_ptr<Machine> machine = plan.open_machine({});
  if (plan.machine->orders)
    run_ordered(plan, description, *machine, channel, first);
  else
    run_remapped(plan, description, *machine, channel, first);
}

} // namespace gputest::runtime
