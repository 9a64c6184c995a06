#include "runtime/analyses/schedules/device_runner.h"

#include "runtime/variants/schedule_state.h"
#include "templates/state.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace gputest::runtime {
namespace {

BoundCase with_known_groups(const Context& context, BoundCase test_case) {
  test_case.launch = with_local_size(
      test_case.launch, context.device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  return test_case;
}

// The order of groups is held by one buffer, whose words are counted by 32 bits.
void check_memory(const Context& context, const model::Sizes& sizes, const std::string& kernel) {
  const auto largest = context.device.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  const std::uint64_t groups = sizes.group_count(), items = sizes.item_count();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 4;
  constexpr std::uint64_t kWord = sizeof(std::uint32_t);
  if (groups < kMost && items < kMost &&
      (GPUTEST_STATE_HEADER_WORDS + schedule_section_words(sizes)) * kWord <= largest)
    return;
  throw DeviceError(
      fmt::format("kernel '{}': the order of {} work-groups takes {} bytes, and the largest buffer "
                  "of {} has {}; "
                  "launch fewer, or larger ones",
                  kernel, groups,
                  groups == std::numeric_limits<std::uint64_t>::max() ? groups : groups * 3 * kWord,
                  context.device.name, largest));
}

} // namespace

SchedulePrograms::SchedulePrograms(const Context& context, std::string text, BuildSettings settings,
                                   std::string name)
    : context_(context), text_(std::move(text)), name_(std::move(name)),
      settings_(std::move(settings)) {}

const BuiltProgram& SchedulePrograms::get(bool items, bool flat) {
  const auto known = programs_.find({items, flat});
  if (known != programs_.end())
    return known->second;
  BuildSettings settings = settings_;
  if (items)
    settings.definitions.emplace_back("GPUTEST_ORDERED_ITEMS=1");
  if (flat)
    settings.definitions.emplace_back("GPUTEST_FLAT=1");
  return programs_.emplace(std::pair(items, flat), build_program(context_, text_, settings, name_))
      .first->second;
}

DeviceScheduleRunner::DeviceScheduleRunner(const Context& context, SchedulePrograms& programs,
                                           BoundCase test_case, std::string kernel)
    : context_(context), programs_(programs), kernel_name_(kernel), outputs_(outputs_of(test_case)),
      memory_(context, with_known_groups(context, std::move(test_case)), kernel, outputs_),
      header_(GPUTEST_STATE_HEADER_WORDS) {
  sizes_ = sizes_of(memory_.test_case().launch);
  check_memory(context, sizes_, kernel);
  const std::size_t words = GPUTEST_STATE_HEADER_WORDS + schedule_section_words(sizes_);
  checked(fmt::format("kernel '{}', state", kernel), [&] {
    state_ = cl::Buffer(context.context, CL_MEM_READ_WRITE, words * sizeof(std::uint32_t));
  });
}

const cl::Kernel& DeviceScheduleRunner::kernel(bool items, bool flat) {
  const auto known = kernels_.find({items, flat});
  if (known != kernels_.end())
    return known->second;
  return kernels_
      .emplace(std::pair(items, flat), memory_.make_kernel(programs_.get(items, flat), &state_))
      .first->second;
}

// Puts the order into the state buffer, unless it is there already.
const DeviceScheduleRunner::Prepared&
DeviceScheduleRunner::prepare(const model::Schedule& schedule) {
  if (prepared_ && prepared_->schedule == schedule)
    return *prepared_;
  Prepared prepared;
  prepared.schedule = schedule;
  prepared.items = schedule.items.kind != model::Order::Kind::Launched;
  prepared.flat = schedule.strategy != model::Strategy::Permute;
  Places places = places_of(schedule, sizes_);
  const std::vector<std::uint32_t> section = schedule_section(sizes_, places.groups, places.items);
  context_.queue.enqueueWriteBuffer(state_, CL_TRUE,
                                    GPUTEST_STATE_HEADER_WORDS * sizeof(std::uint32_t),
                                    section.size() * sizeof(std::uint32_t), section.data());
  prepared.parts = std::move(places.parts);
  return prepared_.emplace(std::move(prepared));
}

void DeviceScheduleRunner::read_header() {
  context_.queue.enqueueReadBuffer(state_, CL_TRUE, 0, header_.size() * sizeof(std::uint32_t),
                                   header_.data());
}

void DeviceScheduleRunner::launch(const Prepared& prepared) {
  const cl::Kernel& program = kernel(prepared.items, prepared.flat);
  const Launch& launch = memory_.test_case().launch;
  if (!prepared.flat)
    return memory_.launch(program, launch);
  // Now and then it is looked whether somebody waits for what has not been launched.
  constexpr std::size_t kLookEvery = 512;
  std::size_t launched = 0;
  for (const Part& part : prepared.parts) {
    memory_.launch(program, launch_of(part, launch));
    if (++launched % kLookEvery != 0)
      continue;
    read_header();
    if (header_[GPUTEST_STATE_EVENTS] != 0)
      return;
  }
}

ScheduleRun DeviceScheduleRunner::run(const model::Schedule& schedule, std::uint32_t budget,
                                      bool trace) {
  ScheduleRun result;
  checked(fmt::format("kernel '{}'", schedule.kernel), [&] {
    const Prepared& prepared = prepare(schedule);
    memory_.restore();
    std::ranges::fill(header_, 0u);
    header_[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
    header_[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
    header_[GPUTEST_STATE_SCHEDULE] = GPUTEST_STATE_HEADER_WORDS;
    header_[GPUTEST_STATE_TRACE] = trace ? 1 : 0;
    header_[GPUTEST_STATE_BUDGET] = budget;
    context_.queue.enqueueWriteBuffer(state_, CL_TRUE, 0, header_.size() * sizeof(std::uint32_t),
                                      header_.data());
    launch(prepared);
    memory_.fetch();
    read_header();
    context_.queue.finish();
  });
  ++runs_;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    result.outputs.emplace_back(memory_.content(i).begin(), memory_.content(i).end());
  result.overrun = memory_.overrun();
  if (header_[GPUTEST_STATE_EVENTS] & GPUTEST_EVENT_BUDGET)
    result.waits_in = header_[GPUTEST_STATE_GUARD];
  result.iterations = header_[GPUTEST_STATE_ITERATIONS];
  return result;
}

std::unique_ptr<ScheduleRunner> DeviceScheduleRunner::like(BoundCase test_case) const {
  return std::make_unique<DeviceScheduleRunner>(context_, programs_, std::move(test_case),
                                                kernel_name_);
}

} // namespace gputest::runtime
