// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/explore/interleaved.h"

#include "ir/error.h"
#include "ir/places.h"
#include "ir/words.h"
#include "model/clock.h"
#include "simulator/checks/monitor.h"
#include "simulator/execute/faults.h"
#include "simulator/execute/launch_memory.h"
#include "simulator/memory/guard.h"
#include "simulator/memory/ndrange.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/xxhash.h>
#include <map>

namespace gputest::simulator {
namespace {

std::size_t most_visits(const ExplorationBounds& bounds, std::size_t items) {
  return std::min(bounds.visits, kMostClockEntries / std::max<std::size_t>(items, 1));
}

class InterleavedLaunch : public Interleaved {
public:
  InterleavedLaunch(const LoadedCode& code, const ir::KernelShape& shape,
                    const LaunchRequest& request, int descriptor,
                    std::unique_ptr<LanguageState> state)
      : shape_(shape), request_(request), step_(code.step()),
        memory_(shape, request, descriptor, groups_of(context_of(request))),
        natives_(nullptr, std::move(state)) {
    memory_.fill_local(shape, request.local_fill); // restart() restores it
    const std::size_t groups = groups_of(context_of(request));
    for (std::size_t group = 0; group < groups; ++group) {
      gputest_context context = context_of(request);
      set_group(context, group);
      context.objects = memory_.objects(group).data();
      context.object_count = memory_.objects(group).size();
      groups_.push_back({context, items_.size(), {}});
      const std::size_t count = items_of_group(context);
      groups_.back().statuses.resize(count);
      for (std::size_t index = 0; index < count; ++index)
        items_.push_back({.group = group, .index = index});
    }
    frames_.emplace(Arena::space_for(items_.size() * shape.frame_size));
    frame_ = frames_->allocate("frames", items_.size() * shape.frame_size).begin;
    for (std::size_t i = 0; i < request.arguments.size(); ++i)
      if (request.arguments[i].output)
        outputs_.push_back(memory_.buffers[i]);
  }

  // ---- Interleaved ----

  std::size_t processes() const override { return items_.size(); }

  void restart() override {
    undo();
    natives_.output.clear();
    for (std::size_t process = 0; process < items_.size(); ++process)
      run(process, true);
    for (std::size_t group = 0; group < groups_.size(); ++group)
      release(group);
  }

  const gputest_visit* next(std::size_t process) const override {
    const Item& item = items_[process];
    return item.status == GPUTEST_VISITS ? &item.visit : nullptr;
  }

  std::optional<Met> step(std::size_t process) override {
    const Item& item = items_[process];
    for (const auto& range : item.visit.ranges)
      if (range.effect != GPUTEST_READS && range.size != 0)
        remember(range);
    run(process, false);
    const Group& group = groups_[item.group];
    if (release(item.group))
      return Met{group.first, group.first + group.statuses.size()};
    return std::nullopt;
  }

  std::size_t outcome() override {
    look_for_divergence();
    std::string key; // hashes of the outputs, 128 bits each
    for (const Region& output : outputs_) {
      const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
          llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(output.begin), output.size));
      key.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    }
    return outcomes_.try_emplace(key, outcomes_.size()).first->second;
  }

  // ---- For who explores ----

  void undo() {
    while (!written_.empty()) {
      std::memcpy(written_.back().first, written_.back().second.data(),
                  written_.back().second.size());
      written_.pop_back();
    }
  }

  // The finding of the work-item that ran last.
  Finding finding_of_fault(const Fault& fault, const LoadedCode& code, double limit) const {
    return finding_of(fault, code, shape_, memory_.arena, groups_[items_[running_].group].context,
                      limit);
  }
  std::string& output() { return natives_.output; }
  const std::vector<Finding>& divergences() const { return divergences_; }

  WorkItem name_of(std::size_t process) const {
    const gputest_context& context = groups_[items_[process].group].context;
    const std::size_t index = items_[process].index;
    WorkItem item;
    for (unsigned i = 0; i < 3; ++i)
      item.group[i] = context.group_id[i];
    item.local = {index % context.local_size[0],
                  index / context.local_size[0] % context.local_size[1],
                  index / (context.local_size[0] * context.local_size[1])};
    return item;
  }

  std::vector<model::Turn> item_turns(const std::vector<Turn>& turns) const {
    std::vector<model::Turn> result;
    for (const Turn& turn : turns)
      result.push_back({static_cast<std::uint32_t>(items_[turn.process].group),
                        static_cast<std::uint32_t>(items_[turn.process].index), turn.count});
    return result;
  }

  std::vector<Turn> turns(const std::vector<model::Turn>& named) const {
    std::vector<Turn> result;
    for (const model::Turn& turn : named) {
      if (turn.group >= groups_.size() || turn.item >= groups_[turn.group].statuses.size() ||
          turn.accesses > ExplorationBounds{}.visits)
        throw ir::InputError(ir::in_words_of(
            shape_.language,
            fmt::format("the schedule does not fit the launch: there is no work-item {} of "
                        "work-group {}, or it has no {} turns",
                        turn.item, turn.group, turn.accesses)));
      result.push_back({static_cast<std::uint32_t>(groups_[turn.group].first + turn.item),
                        static_cast<std::uint32_t>(turn.accesses)});
    }
    return result;
  }

  // Returns the place as text: "byte 4 of 'tile'".
  std::string place_of(const gputest_visit& visit) const {
    const auto* const at = reinterpret_cast<const std::byte*>(visit.ranges[0].begin);
    const Region* const region = memory_.arena.near(at);
    return region ? fmt::format("byte {} of '{}'", at - region->begin, region->name)
                  : std::string("memory");
  }

private:
  struct Item {
    std::size_t group = 0, index = 0;
    gputest_u64 status = 0;
    gputest_visit visit{};
  };
  struct Group {
    gputest_context context;
    std::size_t first; // the first work-item
    std::vector<gputest_u32> statuses;
    std::size_t waiting = 0, visiting = 0; // of them
  };

  void run(std::size_t process, bool begins) {
    running_ = process;
    Item& item = items_[process];
    Group& group = groups_[item.group];
    gputest_context& context = group.context;
    const gputest_u64 width = context.local_size[0], height = context.local_size[1];
    group.visiting -= item.status == GPUTEST_VISITS;
    step_(&context, memory_.arguments(item.group), item.index % width, item.index / width % height,
          item.index / (width * height), frame_ + process * shape_.frame_size, begins);
    item.status = context.status;
    if (item.status == GPUTEST_VISITS)
      item.visit = context.visit;
    group.visiting += item.status == GPUTEST_VISITS;
    // For a group's barrier: work-items that have ended or that visit do not wait.
    gputest_u32& status = group.statuses[item.index];
    group.waiting -= status != 0;
    status = item.status == GPUTEST_VISITS ? 0 : static_cast<gputest_u32>(item.status);
    group.waiting += status != 0;
  }

  // Whether all that are waited for wait at the same barrier.
  bool at_one_barrier(const Group& group) const {
    if (group.waiting == 0 || group.visiting != 0)
      return false;
    if (!model::row_of(shape_.language).exits_pass_barriers &&
        group.waiting != group.statuses.size())
      return false;
    const gputest_u32 barrier = *std::ranges::max_element(group.statuses);
    return std::ranges::all_of(
        group.statuses, [&](gputest_u32 status) { return status == 0 || status == barrier; });
  }

  // Lets the group go on if possible.
  bool release(std::size_t index) {
    Group& group = groups_[index];
    bool released = false;
    while (at_one_barrier(group)) {
      released = true;
      for (std::size_t i = 0; i < group.statuses.size(); ++i)
        if (group.statuses[i] != 0)
          run(group.first + i, false);
    }
    return released;
  }

  // Saves memory before a work-item writes.
  void remember(const gputest_visit::gputest_range& range) {
    auto* const begin = reinterpret_cast<std::byte*>(range.begin);
    for (const Region& region : memory_.arena.regions())
      if (begin >= region.begin && begin < region.begin + region.size) {
        const std::size_t size = std::min<std::size_t>(
            range.size, static_cast<std::size_t>(region.begin + region.size - begin));
        written_.emplace_back(begin, std::vector<std::byte>(begin, begin + size));
      }
  }

  // No work-item can go on, so those that wait do so forever.
  void look_for_divergence() {
    for (Group& group : groups_) {
      if (std::ranges::all_of(group.statuses, [](gputest_u32 status) { return status == 0; }))
        continue;
      group.context.statuses = group.statuses.data();
      Monitor monitor(shape_, {}, request_.sizes.dimensions, group.context, memory_.arena,
                      memory_.nowhere);
      monitor.begin_group();
      monitor.turn();
      for (const Finding& finding : monitor.findings())
        if (std::ranges::none_of(divergences_, [&](const Finding& known) {
              return std::pair(known.site.line, known.other.line) ==
                     std::pair(finding.site.line, finding.other.line);
            }))
          divergences_.push_back(finding);
    }
  }

  const ir::KernelShape& shape_;
  const LaunchRequest& request_;
  LoadedCode::Step step_;
  LaunchMemory memory_;
  Natives natives_;
  std::optional<Arena> frames_;
  std::byte* frame_ = nullptr;
  std::vector<Item> items_;
  std::vector<Group> groups_;
  std::vector<Region> outputs_;
  std::vector<std::pair<std::byte*, std::vector<std::byte>>> written_; // the bytes before
  std::map<std::string, std::size_t> outcomes_;
  std::vector<Finding> divergences_;
  std::size_t running_ = 0;
};

std::string too_large(const LaunchRequest& request) {
  std::size_t items = 1, outputs = 0;
  for (unsigned i = 0; i < 3; ++i)
    items *= request.sizes.global[i];
  if (items > kMostInterleavedItems)
    return fmt::format("{} work-items are more than the {} whose interleavings can be explored",
                       items, kMostInterleavedItems);
  for (const ArgumentData& argument : request.arguments)
    outputs += argument.output ? argument.size : 0;
  if (outputs > kMostOutputBytes)
    return fmt::format("outputs of {} bytes are more than the {} that can be compared after each "
                       "interleaving",
                       outputs, kMostOutputBytes);
  return "";
}

const char* verb(const gputest_visit& visit) {
  const gputest_u64 effect = visit.ranges[0].effect;
  return effect == GPUTEST_READS ? "reads" : effect >= GPUTEST_ADDS ? "updates" : "writes";
}

OrderDependence dependence_of(const DecidingPair& pair, const InterleavedLaunch& launch,
                              const ir::KernelShape& shape, unsigned dimensions) {
  OrderDependence result{.finding = {}, .before = pair.before, .after = pair.after};
  Finding& finding = result.finding;
  finding.kind = "order_dependence";
  finding.site = shape.sites.at(pair.second.visit.site);
  finding.other = shape.sites.at(pair.first.visit.site);
  const WorkItem mine = launch.name_of(pair.second.process),
                 other = launch.name_of(pair.first.process);
  finding.message = ir::in_words_of(
      shape.language,
      fmt::format("outputs depend on which access comes first, {}: {} {} {} here, and {} {} it at "
                  "{}",
                  mine.group == other.group ? "within a work-group" : "between work-groups",
                  text_of(mine, dimensions), verb(pair.second.visit),
                  launch.place_of(pair.second.visit), text_of(other, dimensions),
                  verb(pair.first.visit), place_text(finding.other)));
  return result;
}

} // namespace

ExploredLaunch explore_launch(const LoadedCode& code, const ir::KernelShape& shape,
                              const LaunchRequest& request, ExplorationBounds bounds, int memory,
                              std::unique_ptr<LanguageState> state) {
  check_request(shape, request);
  ExploredLaunch result;
  result.too_large = ir::in_words_of(shape.language, too_large(request));
  if (!result.too_large.empty())
    return result;
  InterleavedLaunch launch(code, shape, request, memory, std::move(state));
  bounds.visits = most_visits(bounds, launch.processes());
  Exploration exploration;
  const auto start = std::chrono::steady_clock::now();
  // An interleaving ends after so many visits, but code between two visits may not end.
  const double limit = request.limit == 0 ? 0 : bounds.seconds + request.limit;
  const std::optional<Fault> fault =
      run_guarded([&] { exploration = explore(launch, bounds); }, limit);
  result.seconds = model::seconds_since(start);
  if (fault) {
    result.fatal = true;
    result.findings.push_back(launch.finding_of_fault(*fault, code, limit));
    return result;
  }
  launch.undo();
  result.end = exploration.end;
  result.interleavings = exploration.interleavings;
  result.outcomes = exploration.outcomes;
  for (const std::vector<Turn>& turns : exploration.schedules)
    result.schedules.push_back(launch.item_turns(turns));
  for (const DecidingPair& pair : exploration.pairs)
    result.dependences.push_back(dependence_of(pair, launch, shape, request.sizes.dimensions));
  result.findings = launch.divergences();
  if (exploration.end == Exploration::End::Visits)
    result.stopped_at = ir::in_words_of(
        shape.language,
        fmt::format("{}one interleaving has more than {} accesses of shared memory; most are made "
                    "by {}, here",
                    ir::place_prefix(shape.sites.at(exploration.last.site)), bounds.visits,
                    text_of(launch.name_of(exploration.longest), request.sizes.dimensions)));
  return result;
}

LaunchResult launch_turns(const LoadedCode& code, const ir::KernelShape& shape,
                          const LaunchRequest& request, const std::vector<model::Turn>& turns,
                          int memory, std::unique_ptr<LanguageState> state) {
  check_request(shape, request);
  if (const std::string why = too_large(request); !why.empty())
    throw ir::InputError(ir::in_words_of(shape.language, why));
  InterleavedLaunch launch(code, shape, request, memory, std::move(state));
  const std::vector<Turn> wanted = launch.turns(turns);
  LaunchResult result;
  const std::size_t visits = most_visits({}, launch.processes());
  bool ended = true;
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Fault> fault =
      run_guarded([&] { ended = replay(launch, wanted, visits); }, request.limit);
  result.seconds = model::seconds_since(start);
  if (fault) {
    result.fatal = true;
    result.findings.push_back(launch.finding_of_fault(*fault, code, request.limit));
    return result;
  }
  if (!ended)
    throw ir::InputError(ir::in_words_of(
        shape.language,
        fmt::format("this interleaving has more than {} accesses of shared memory: a work-item "
                    "waits for another one, or the case is too large",
                    visits)));
  result.output = std::move(launch.output());
  launch.outcome();
  result.findings = launch.divergences();
  return result;
}

} // namespace gputest::simulator
