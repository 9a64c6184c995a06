// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_locks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gputest::simulator {
namespace {

constexpr std::size_t kMostHeld = 8; // sections of a thread, and of a group
constexpr std::size_t kMostSections = 1 << 16, kMostSteps = 1 << 20;

} // namespace

bool RaceLocks::is_lock(std::uint64_t place) const {
  const auto found = locks_.find(place);
  return found != locks_.end() && found->second.size() > 1;
}

// Steps before the first section lead from none. Repeated steps become one, because nothing else
// has passed between two of them.
void RaceLocks::log(const Step& step) {
  if (opened_ == 0)
    return;
  if (!steps_.empty())
    if (Step& last = steps_.back(); last.kind == step.kind && last.from == step.from &&
                                    last.to == step.to && last.place == step.place &&
                                    (step.kind != Step::Kind::Message || last.sent == step.sent)) {
      last.received = step.received;
      return;
    }
  too_many_ = too_many_ || steps_.size() == kMostSteps;
  if (!too_many_)
    steps_.push_back(step);
}

void RaceLocks::open(Section section) {
  drop(section.place);
  if (open_.size() == kMostSections) {
    open_.clear();
    held_.clear();
    inside_.clear();
  }
  Places& places = held_[section.holder];
  if (places.size() == kMostHeld) // words that are no locks
    drop(Places(places).front());
  held_[section.holder].push_back(section.place);
  section.number = ++opened_;
  open_[section.place] = std::move(section);
}

void RaceLocks::drop(std::uint64_t place) {
  const auto found = open_.find(place);
  if (found == open_.end())
    return;
  const Thread holder = found->second.holder;
  if (const auto held = held_.find(holder); held != held_.end()) {
    std::erase(held->second, place);
    if (held->second.empty())
      held_.erase(held);
  }
  if (!found->second.parts.empty())
    std::erase(inside_[RaceOrder::group_of(holder)], place);
  open_.erase(found);
}

void RaceLocks::keep(const Section& section) {
  if (kept_++ == kMostSections) {
    closed_.clear();
    closed_parts_.clear();
    kept_ = 1;
  }
  closed_[section.holder].push_back(section);
  if (section.drawn)
    by_number_.insert(section.place);
  if (!section.parts.empty())
    closed_parts_[RaceOrder::group_of(section.holder)].push_back(section);
  for (const std::uint64_t place : {section.place, section.free})
    if (place == section.place || section.drawn)
      if (std::set<Thread>& holders = locks_[place]; holders.size() < 2)
        holders.insert(section.holder);
}

std::optional<RaceLocks::Section> RaceLocks::access(Thread thread, std::uint64_t place,
                                                    const RaceOrder::Strong& what,
                                                    const Change& change, std::uint64_t epoch) {
  if (const auto last = written_.find(place);
      what.reads && last != written_.end() && last->second.thread != thread)
    log({.kind = Step::Kind::Message,
         .from = last->second.thread,
         .to = thread,
         .sent = last->second.epoch,
         .received = epoch,
         .place = place});
  if (what.writes)
    written_[place] = {thread, epoch};
  Section taken{.holder = thread,
                .place = place,
                .free = change.before,
                .scope = what.scope,
                .begin = epoch,
                .parts = {}};
  if (what.acquires)
    taken.of_block = epoch;
  if (what.acquires && what.scope == Scope::Device)
    taken.of_device = epoch;
  const auto held = open_.find(place);
  if (!what.writes || change.before == change.after) {
    const auto drawn = drawn_.find(thread);
    if (!what.reads || drawn == drawn_.end() || drawn->second.place == place ||
        drawn->second.number != change.before ||
        (held != open_.end() &&
         (held->second.holder == thread || (!held->second.drawn && !by_number_.contains(place)))))
      return std::nullopt;
    taken.drawn = true;
    taken.free = drawn->second.place;
    open(std::move(taken));
    return std::nullopt;
  }
  if (what.reads && change.after == change.before + 1)
    drawn_[thread] = {.place = place, .number = change.before};
  std::optional<Section> ended;
  if (held != open_.end() && has(held->second, thread, epoch) &&
      (held->second.drawn ? change.after == change.before + 1
                          : held->second.free == change.after)) {
    ended = held->second;
    ended->end = epoch;
    ended->last = thread;
    const Fences fences = fences_[thread];
    ended->released_in_block = what.releases ? epoch : fences.of_block;
    if (what.scope == Scope::Device)
      ended->released_on_device = what.releases ? epoch : fences.of_device;
    keep(*ended);
  }
  drop(place);
  if (what.reads && (!ended || ended->drawn))
    open(std::move(taken));
  return ended;
}

void RaceLocks::fence(Thread thread, Scope scope, std::uint64_t epoch) {
  Fences& fences = fences_[thread];
  fences.of_block = epoch;
  if (scope == Scope::Device)
    fences.of_device = epoch;
  const auto held = held_.find(thread);
  if (held == held_.end())
    return;
  for (const std::uint64_t place : held->second) {
    Section& section = open_.at(place);
    if (!section.of_block)
      section.of_block = epoch;
    if (scope == Scope::Device && section.scope == Scope::Device && !section.of_device)
      section.of_device = epoch;
  }
}

// The holder has met others, who are inside until their last meeting.
void RaceLocks::share(std::uint64_t place, std::uint64_t lanes, std::uint64_t epoch) {
  Section& section = open_.at(place);
  Places& inside = inside_[RaceOrder::group_of(section.holder)];
  if (section.parts.empty()) {
    if (inside.size() == kMostHeld)
      return;
    inside.push_back(place);
  }
  auto part = std::ranges::find(section.parts, lanes, &Part::lanes);
  if (part == section.parts.end()) {
    section.parts.push_back({.lanes = lanes, .begin = epoch});
    part = std::prev(section.parts.end());
  }
  part->end = epoch;
  if (!part->of_block && (section.of_block || lanes == 0))
    part->of_block = epoch;
  if (!part->of_device && section.of_device)
    part->of_device = epoch;
}

void RaceLocks::barrier(std::uint64_t group, std::uint64_t epoch) {
  log({.kind = Step::Kind::Barrier,
       .from = RaceOrder::thread_of(group, 0),
       .to = 0,
       .sent = epoch,
       .received = epoch,
       .place = 0});
  Places places;
  for (auto held = held_.lower_bound(RaceOrder::thread_of(group, 0));
       held != held_.end() && RaceOrder::group_of(held->first) == group &&
       places.size() <= kMostHeld;
       ++held)
    places.insert(places.end(), held->second.begin(), held->second.end());
  if (places.size() <= kMostHeld) // otherwise they are no locks
    for (const std::uint64_t place : places)
      share(place, 0, epoch);
}

void RaceLocks::meet(const std::vector<Thread>& threads, std::uint64_t epoch) {
  std::uint64_t lanes = 0;
  for (const Thread thread : threads)
    lanes |= std::uint64_t{1} << thread % warp_size_;
  log({.kind = Step::Kind::Meeting,
       .from = threads.front() / warp_size_ * warp_size_,
       .to = 0,
       .sent = epoch,
       .received = epoch,
       .place = lanes});
  for (const Thread thread : threads)
    if (const auto held = held_.find(thread); held != held_.end())
      for (const std::uint64_t place : Places(held->second))
        share(place, lanes, epoch);
}

void RaceLocks::wait(Thread thread, std::uint64_t place, std::uint64_t epoch) {
  if (const auto last = written_.find(place);
      last != written_.end() && last->second.thread != thread)
    log({.kind = Step::Kind::Message,
         .from = last->second.thread,
         .to = thread,
         .sent = last->second.epoch,
         .received = epoch,
         .place = place});
}

// Returns the part by which the thread is inside; null: none, as for the holder.
const RaceLocks::Part* RaceLocks::part_of(const Section& section, Thread thread,
                                          std::uint64_t epoch) const {
  for (const Part& part : section.parts)
    if (part.begin <= epoch && (section.end == 0 || epoch < part.end) &&
        (part.lanes == 0 ? RaceOrder::group_of(thread) == RaceOrder::group_of(section.holder)
                         : thread / warp_size_ == section.holder / warp_size_ &&
                               (part.lanes >> thread % warp_size_ & 1) != 0))
      return &part;
  return nullptr;
}

bool RaceLocks::has(const Section& section, Thread thread, std::uint64_t epoch) const {
  return thread == section.holder
             ? section.begin <= epoch && (section.end == 0 || epoch < section.end)
             : part_of(section, thread, epoch) != nullptr;
}

std::optional<RaceOrder::Scope> RaceLocks::saw(const Section& section, Thread thread,
                                               std::uint64_t epoch) const {
  const Part* const part = thread == section.holder ? nullptr : part_of(section, thread, epoch);
  const auto& [of_block, of_device] = part ? std::pair(part->of_block, part->of_device)
                                           : std::pair(section.of_block, section.of_device);
  if (of_device && *of_device <= epoch)
    return Scope::Device;
  if (of_block && *of_block <= epoch)
    return Scope::Block;
  return std::nullopt;
}

// What is before the last meeting with who gave the lock back is before its fences after that.
std::optional<RaceOrder::Scope> RaceLocks::released(const Section& section, Thread thread,
                                                    std::uint64_t epoch) const {
  if (thread != section.last) {
    const Part* const part = part_of(section, thread, epoch);
    if (!part)
      return std::nullopt;
    epoch = part->end;
  }
  return epoch < section.released_on_device  ? std::optional(Scope::Device)
         : epoch < section.released_in_block ? std::optional(Scope::Block)
                                             : std::nullopt;
}

// Sections that have ended.
std::vector<const RaceLocks::Section*> RaceLocks::sections_of(Thread thread,
                                                              std::uint64_t epoch) const {
  std::vector<const Section*> found;
  const auto look_in = [&](const auto& all, std::uint64_t key) {
    const auto list = all.find(key);
    if (list == all.end())
      return;
    const std::vector<Section>& sections = list->second;
    auto one = std::ranges::upper_bound(sections, epoch, {}, &Section::end);
    for (std::size_t i = 0; i < 2 * kMostHeld && one != sections.end(); ++i, ++one)
      if (has(*one, thread, epoch) && (&all == &closed_ || one->holder != thread))
        found.push_back(&*one);
  };
  look_in(closed_, thread);
  look_in(closed_parts_, RaceOrder::group_of(thread));
  return found;
}

std::vector<RaceLocks::Common> RaceLocks::common(Thread thread, std::uint64_t now, Thread other,
                                                 std::uint64_t epoch) const {
  std::vector<const Section*> mine;
  if (const auto held = held_.find(thread); held != held_.end())
    for (const std::uint64_t place : held->second)
      mine.push_back(&open_.at(place));
  if (const auto inside = inside_.find(RaceOrder::group_of(thread)); inside != inside_.end())
    for (const std::uint64_t place : inside->second)
      if (const Section& section = open_.at(place);
          section.holder != thread && has(section, thread, ~std::uint64_t{0}))
        mine.push_back(&section);
  std::vector<Common> found;
  if (mine.empty())
    return found;
  for (const Section* theirs : sections_of(other, epoch))
    for (const Section* section : mine)
      if (section->place == theirs->place && section->free == theirs->free &&
          section->drawn == theirs->drawn && section->holder != theirs->holder)
        found.push_back({.mine = section->number,
                         .saw = saw(*section, thread, now),
                         .other_saw = saw(*theirs, other, epoch),
                         .other_released = released(*theirs, other, epoch)});
  return found;
}

bool RaceLocks::inside(Thread thread, std::uint64_t epoch) const {
  return !sections_of(thread, epoch).empty();
}

bool RaceLocks::lacks_fence(Thread thread, std::uint64_t epoch) const {
  return std::ranges::any_of(sections_of(thread, epoch), [&](const Section* section) {
    return saw(*section, thread, epoch) != Scope::Device ||
           released(*section, thread, epoch) != Scope::Device;
  });
}

bool RaceLocks::leads(Thread first, std::uint64_t epoch, Thread second) const {
  if (too_many_)
    return true;
  // From which epoch on threads, and all of a group, come after it.
  std::unordered_map<Thread, std::uint64_t> threads{{first, epoch + 1}}, groups;
  const auto after = [&](Thread thread, std::uint64_t when) {
    const auto one = threads.find(thread);
    const auto all = groups.find(RaceOrder::group_of(thread));
    return (one != threads.end() && one->second <= when) ||
           (all != groups.end() && all->second <= when);
  };
  const auto any_of_group = [&](std::uint64_t group, std::uint64_t when) {
    return std::ranges::any_of(threads, [&](const auto& one) {
      return RaceOrder::group_of(one.first) == group && one.second <= when;
    });
  };
  for (auto step = std::ranges::lower_bound(steps_, epoch, {}, &Step::received);
       step != steps_.end(); ++step) {
    if (step->kind == Step::Kind::Message) {
      if (after(step->from, step->sent) && !is_lock(step->place))
        threads.emplace(step->to, step->received);
    } else if (step->kind == Step::Kind::Barrier) {
      if (any_of_group(RaceOrder::group_of(step->from), step->received))
        groups.emplace(RaceOrder::group_of(step->from), step->received);
    } else {
      bool any = false;
      for (Thread lane = 0; lane < warp_size_; ++lane)
        any = any || ((step->place >> lane & 1) != 0 && after(step->from + lane, step->received));
      for (Thread lane = 0; lane < warp_size_ && any; ++lane)
        if (step->place >> lane & 1)
          threads.emplace(step->from + lane, step->received);
    }
  }
  return after(second, ~std::uint64_t{0});
}

} // namespace gputest::simulator
