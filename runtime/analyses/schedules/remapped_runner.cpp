// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/remapped_runner.h"

#include "runtime/variants/schedule_state.h"
#include "templates/state.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gputest::runtime {
namespace {

// Throws where the order of groups does not fit into one buffer, whose words are counted by 32
// bits.
void check_memory(const Machine& machine, const model::Sizes& sizes, const std::string& kernel) {
  const std::uint64_t groups = sizes.group_count(), items = sizes.items_of_group();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 4;
  constexpr std::uint64_t kWord = sizeof(std::uint32_t);
  if (groups < kMost && items < kMost &&
      (GPUTEST_STATE_HEADER_WORDS + schedule_section_words(sizes)) * kWord <=
          machine.largest_buffer())
    return;
  throw DeviceError(
      fmt::format("kernel '{}': the order of {} work-groups takes {} bytes, and the largest buffer "
                  "of {} has {}; "
                  "launch fewer, or larger ones",
                  kernel, groups,
                  groups == std::numeric_limits<std::uint64_t>::max() ? groups : groups * 3 * kWord,
                  machine.name(), machine.largest_buffer()));
}

} // namespace

SchedulePrograms::SchedulePrograms(Machine& machine, Subject subject)
    : machine_(machine), subject_(std::move(subject)) {}

BuiltKernel& SchedulePrograms::get(Way way) {
  std::unique_ptr<BuiltKernel>& kernel = kernels_[way];
  if (kernel)
    return *kernel;
  BuildSettings settings = subject_.settings;
  if (way.items)
    settings.definitions.emplace_back("GPUTEST_ORDERED_ITEMS=1");
  if (way.flat)
    settings.definitions.emplace_back("GPUTEST_FLAT=1");
  kernel = machine_.build(subject_.text, settings, subject_.kernel, subject_.source);
  return *kernel;
}

RemappedRunner::RemappedRunner(Machine& machine, SchedulePrograms& programs, BoundCase test_case,
                               std::string kernel)
    : machine_(machine), programs_(programs), kernel_name_(std::move(kernel)),
      outputs_(kept_of(test_case)), header_(GPUTEST_STATE_HEADER_WORDS) {
  test_case.launch = with_local_size(test_case.launch, machine.largest_group());
  sizes_ = sizes_of(test_case.launch);
  check_memory(machine, sizes_, kernel_name_);
  const std::size_t words = GPUTEST_STATE_HEADER_WORDS + schedule_section_words(sizes_);
  case_ =
      machine.repeat(std::move(test_case), kernel_name_, outputs_, words * sizeof(std::uint32_t));
}

PreparedKernel& RemappedRunner::kernel(SchedulePrograms::Way way) {
  std::unique_ptr<PreparedKernel>& kernel = kernels_[way];
  if (!kernel)
    kernel = case_->prepare(programs_.get(way), true);
  return *kernel;
}

// Puts the order into the state buffer, unless it is there already.
const RemappedRunner::Prepared& RemappedRunner::prepare(const model::Schedule& schedule) {
  if (prepared_ && prepared_->schedule == schedule)
    return *prepared_;
  Prepared prepared;
  prepared.schedule = schedule;
  prepared.way.items = schedule.items.kind != model::Order::Kind::Launched;
  prepared.way.flat = schedule.strategy != model::Strategy::Permute;
  const Places places = places_of(schedule, sizes_);
  const std::vector<std::uint32_t> section = schedule_section(sizes_, places.groups, places.items);
  case_->write_state(header_.size() * sizeof(std::uint32_t), std::as_bytes(std::span(section)));
  const Launch& launch = case_->test_case().launch;
  if (!prepared.way.flat)
    prepared.launches = {launch};
  else
    for (const Part& part : places.parts)
      prepared.launches.push_back(launch_of(part, launch));
  return prepared_.emplace(std::move(prepared));
}

ScheduleRun RemappedRunner::run(const model::Schedule& schedule, std::uint32_t budget, bool trace) {
  const Prepared& prepared = prepare(schedule);
  std::ranges::fill(header_, 0u);
  header_[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
  header_[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
  header_[GPUTEST_STATE_SCHEDULE] = GPUTEST_STATE_HEADER_WORDS;
  header_[GPUTEST_STATE_TRACE] = trace ? 1 : 0;
  header_[GPUTEST_STATE_BUDGET] = budget;
  // Asks whether somebody waits for a group that has not been launched.
  kernel(prepared.way).run(prepared.launches, std::as_writable_bytes(std::span(header_)), [&] {
    return header_[GPUTEST_STATE_EVENTS] != 0;
  });
  ++runs_;
  ScheduleRun result;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto content = case_->content(i);
    result.outputs.emplace_back(content.begin(), content.end());
  }
  result.overrun = case_->overrun();
  if (header_[GPUTEST_STATE_EVENTS] & GPUTEST_EVENT_BUDGET)
    result.waits_in = header_[GPUTEST_STATE_GUARD];
  result.iterations = header_[GPUTEST_STATE_ITERATIONS];
  return result;
}

std::unique_ptr<ScheduleRunner> RemappedRunner::like(BoundCase test_case) const {
  return std::make_unique<RemappedRunner>(machine_, programs_, std::move(test_case), kernel_name_);
}

} // namespace gputest::runtime
