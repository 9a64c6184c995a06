// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/instrumentation.h"

#include "model/schedules/sites.h"
#include "runtime/cases/argument.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace gputest::layer {
namespace {

constexpr std::uint32_t kNoBudget = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostGroups = 1u << 28; // the state buffer counts words by 32 bits
constexpr std::uint64_t kMostParts = 4096;      // launches in place of one

// Returns whether the order of the settings is that of this launch.
bool is_ordered(const Settings& settings, const RequestedLaunch& request, const Launch& launch) {
  if (!settings.schedule)
    return false;
  const model::Schedule& schedule = *settings.schedule;
  const bool is_listed = schedule.groups.kind == model::Order::Kind::Listed ||
                         schedule.items.kind == model::Order::Kind::Listed;
  const auto has = [](const auto& list, const auto& element) {
    return list.empty() || std::ranges::find(list, element) != list.end();
  };
  return (!is_listed || schedule.sizes == runtime::sizes_of(launch)) && schedule.program &&
         has(schedule.program->kernels, request.label) &&
         has(schedule.program->launches, request.number);
}

// Returns what launches share that are made alike.
std::vector<std::uint64_t> key_of(const Settings& settings, const RequestedLaunch& request) {
  const Launch launch = runtime::with_local_size(request.launch, request.most_items);
  std::vector<std::uint64_t> key{is_ordered(settings, request, launch) ? 1u : 0u};
  add_sizes(launch, key);
  return key;
}

// Returns the sizes of a launch. Throws std::runtime_error where there are too many to be ordered.
model::Sizes ordered_sizes(const Launch& launch) {
  const model::Sizes sizes = runtime::sizes_of(launch);
  if (sizes.group_count() > kMostGroups || sizes.items_of_group() > kMostGroups)
    throw std::runtime_error(
        fmt::format("{} work-groups are too many to be ordered", sizes.group_count()));
  return sizes;
}

// Launches of one size are all made in the same order. So it does not matter which of them a thread
// makes first, and the order is written once.
class Schedules : public Instrumentation {
public:
  explicit Schedules(const Settings& settings) : settings_(settings) {}

  model::Variant variant() const override { return model::variant_of("schedules"); }

  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) override {
    sites_ = model::read_schedule_sites(folder / "schedule-sites.json");
    return sites_.device_macros;
  }

  std::string text(const std::filesystem::path& folder,
                   const std::filesystem::path& /*source*/) const override {
    return runtime::read_variant(folder / "schedule.cl");
  }

  void add_options(const std::string& /*device_type*/,
                   runtime::BuildSettings& settings) const override {
    if (settings_.schedule && settings_.schedule->items.kind != model::Order::Kind::Launched)
      settings.definitions.emplace_back("GPUTEST_ORDERED_ITEMS=1");
    if (flat())
      settings.definitions.emplace_back("GPUTEST_FLAT=1");
  }

  std::string refusal(const std::string& kernel) const override {
    std::string reasons;
    for (const model::NotInstrumented& entry : sites_.not_remapped_in(kernel))
      reasons +=
          fmt::format("{}{}:{}:{}: error: {} cannot be remapped: {}", reasons.empty() ? "" : "\n",
                      entry.file, entry.line, entry.column, entry.construct, entry.reason);
    return reasons;
  }

  std::vector<std::uint64_t> key(const RequestedLaunch& request) const override {
    return key_of(settings_, request);
  }

  LaunchPlan plan(const RequestedLaunch& request) const override {
    const Launch launch = runtime::with_local_size(request.launch, request.most_items);
    const model::Sizes sizes = ordered_sizes(launch);
    LaunchPlan plan{.state = {}, .launches = {}, .event = {.sizes = sizes}};
    model::Schedule schedule;
    if (is_ordered(settings_, request, launch))
      schedule = settings_.schedule.value();
    if (const model::ScheduledKernel* kernel = sites_.find(request.kernel);
        kernel && kernel->keeps_items && schedule.items.kind != model::Order::Kind::Launched) {
      schedule.items = {};
      plan.event.note = "it uses sub-groups, which are made of neighbours: its work-items keep "
                        "their order, and only work-groups are permuted";
    }
    const bool is_flat = flat() && schedule.strategy == model::Strategy::Permute;
    runtime::Places places =
        is_flat ? runtime::parts_as_launched(sizes) : runtime::places_of(schedule, sizes);
    if (places.parts.size() > kMostParts) {
      const std::size_t together = (places.parts.size() + kMostParts - 1) / kMostParts;
      runtime::join_parts(places, together);
      plan.event.note =
          fmt::format("a launch of {} work-groups is too large to be made one group at a time: "
                      "{} that follow each other in the order are launched together",
                      sizes.group_count(), together);
    }
    const auto budget = settings_.budgets.find(request.label);
    plan.state = runtime::make_schedule_state(
        sizes, places, budget == settings_.budgets.end() ? kNoBudget : budget->second,
        settings_.trace);
    for (const runtime::Part& part : places.parts)
      plan.launches.push_back(runtime::launch_of(part, launch));
    if (plan.launches.empty())
      plan.launches.push_back(launch);
    plan.event.ordered = is_ordered(settings_, request, launch);
    return plan;
  }

private:
  // Whether the program is built for groups that are launched in parts.
  bool flat() const {
    return settings_.schedule && settings_.schedule->strategy != model::Strategy::Permute;
  }

  const Settings& settings_;
  model::ScheduleSites sites_;
};

// The program's own modules. Launches have the local size that the order is made for.
class Orders : public Instrumentation {
public:
  explicit Orders(const Settings& settings) : settings_(settings) {}

  model::Variant variant() const override { return model::variant_of("coverage"); }
  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& /*folder*/) override {
    return none_;
  }
  std::string text(const std::filesystem::path& /*folder*/,
                   const std::filesystem::path& source) const override {
    return runtime::read_source(source);
  }
  bool is_original() const override { return true; }
  bool orders_original() const override { return true; }
  void add_options(const std::string& /*device_type*/,
                   runtime::BuildSettings& /*settings*/) const override {}

  std::vector<std::uint64_t> key(const RequestedLaunch& request) const override {
    return key_of(settings_, request);
  }

  LaunchPlan plan(const RequestedLaunch& request) const override {
    const Launch launch = runtime::with_local_size(request.launch, request.most_items);
    const model::Sizes sizes = ordered_sizes(launch);
    LaunchPlan plan{.state = runtime::make_schedule_state(sizes),
                    .launches = {launch},
                    .event = {.sizes = sizes, .ordered = is_ordered(settings_, request, launch)}};
    if (!plan.event.ordered)
      return plan;
    const model::Schedule& schedule = settings_.schedule.value();
    plan.order = LaunchOrder{schedule.groups, schedule.items};
    if (schedule.strategy == model::Strategy::First) {
      model::Schedule sized = schedule;
      sized.sizes = sizes;
      plan.order->groups = {.kind = model::Order::Kind::Listed};
      for (const std::vector<std::uint32_t>& stage : model::stages(sized))
        plan.order->groups.listed.insert(plan.order->groups.listed.end(), stage.begin(),
                                         stage.end());
    }
    return plan;
  }

private:
  const Settings& settings_;
  std::vector<model::DeviceMacro> none_;
};

} // namespace

std::unique_ptr<Instrumentation> instrument_schedules(const Settings& settings) {
  return std::make_unique<Schedules>(settings);
}

std::unique_ptr<Instrumentation> instrument_orders(const Settings& settings) {
  return std::make_unique<Orders>(settings);
}

} // namespace gputest::layer
