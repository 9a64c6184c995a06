// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of races: accesses that locks order, in every order of their holders (race_locks.h).
#include "simulator/checks/races/races.h"
#include "simulator/execute/ndrange.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::simulator {

// Replaces accesses that are ordered before this one, so that unordered accesses of others stay
// known. If a lock orders them, an earlier one stays: another order of the lock might show that a
// fence is missing.
void Races::forget_known(const std::byte* at, std::uint64_t size, const Access& mine) {
  const Kind kind = mine.atomic ? (mine.write ? AtomicWrite : AtomicRead) : PlainRead;
  if (kind == PlainRead && mine.write) // left to gputest_mark()
    return;
  const auto inside = [&](std::uint64_t mark) {
    return mark != 0 && thread_that_left(mark) != thread_that_left(mine.mark) &&
           locks_.inside(thread_that_left(mark), marks_.epoch_of(mark));
  };
  for (std::uint64_t done = 0; done < size; done += shape_.grain) {
    std::byte* const place = marks_.cell_of(at + done) + kind * MarkLayout::kMark;
    const std::uint64_t mark = Marks::read(place);
    if (unordered(mark, mine))
      continue;
    const std::uint64_t other = mark & GPUTEST_HAS_OTHER ? Marks::read(marks_.other(place)) : 0;
    const bool is_free =
        other == 0 || (!unordered(other, mine) &&
                       !locks_.lacks_fence(thread_that_left(other), marks_.epoch_of(other)));
    if (inside(mark) && is_free) {
      Marks::write(place, mark | GPUTEST_HAS_OTHER);
      Marks::write(marks_.other(place), mine.mark);
    } else {
      Marks::write(place, mine.mark | (mark & GPUTEST_HAS_OTHER));
    }
  }
}

void Races::keep_locked(const std::byte* at, const Access& mine, std::uint64_t mark, Kind kind,
                        bool same_value) {
  if (!shape_.syncs || mark == 0 || mine.of_copy || group_of(mark) == kForgotten ||
      met_since(mark, mine) || (mine.atomic && kind != PlainWrite && kind != PlainRead))
    return;
  const std::uint64_t start = mine.local ? context_.local_start : context_.global_start;
  if ((mine.local || is_of_group(mark)) && mark < start) // ordered by a barrier
    return;
  const RaceOrder::Thread me = thread_of(marks_.item_of(mine.mark)), other = thread_that_left(mark);
  if (me == other)
    return;
  const std::vector<RaceLocks::Common> sections =
      locks_.common(me, marks_.epoch_of(mine.mark), other, marks_.epoch_of(mark));
  if (sections.empty())
    return;
  const auto pair = std::make_shared<LockedPair>(LockedPair{.at = at,
                                                            .mine = mine,
                                                            .mark = mark,
                                                            .kind = kind,
                                                            .same_value = same_value,
                                                            .sections = sections.size()});
  for (const RaceLocks::Common& section : sections) {
    // The last of equal pairs has the fewest fences behind it.
    std::vector<LockedPairOf>& all = locked_[section.mine];
    const auto equal = std::ranges::find_if(all, [&](const LockedPairOf& one) {
      return one.fences == section && one.pair->mine.site == mine.site &&
             marks_.site_of(one.pair->mark) == marks_.site_of(mark) &&
             is_of_group(one.pair->mark) == is_of_group(mark) &&
             one.pair->same_value == same_value && one.pair->sections == sections.size();
    });
    if (equal == all.end())
      all.push_back({pair, section});
    else
      *equal = {pair, section};
  }
}

// The lock has been given back, so it is known what the accesses release.
void Races::end_section(const RaceLocks::Section& section) {
  using Scope = RaceOrder::Scope;
  const auto pairs = locked_.extract(section.number);
  if (pairs.empty())
    return;
  for (const LockedPairOf& one : pairs.mapped()) {
    LockedPair& pair = *one.pair;
    const RaceOrder::Thread me = thread_of(marks_.item_of(pair.mine.mark));
    const std::uint64_t epoch = marks_.epoch_of(pair.mine.mark), others = group_of(pair.mark);
    if (locks_.has(section, me, epoch)) {
      const std::optional<Scope> released =
          order_.releases(section.place, others, me, epoch)   ? std::optional(Scope::Device)
          : order_.releases(section.place, group_, me, epoch) ? std::optional(Scope::Block)
                                                              : std::nullopt;
      std::string why = why_unlocked(one, released);
      pair.ordered = pair.ordered || why.empty();
      pair.why = std::move(why);
    }
    if (--pair.sections == 0 && !pair.ordered && !pair.why.empty())
      report_locked(pair);
  }
}

// Returns the fences that are missing whoever takes the lock first; empty: none.
std::string Races::why_unlocked(const LockedPairOf& one,
                                const std::optional<RaceOrder::Scope>& released) const {
  const std::uint64_t mark = one.pair->mark;
  const bool between_groups = group_of(mark) != group_;
  const std::string me = text_of(work_item(context_, group_, marks_.item_of(one.pair->mine.mark)),
                                 dimensions_),
                    other = text_of(item_of(mark), dimensions_), fence = fence_for(between_groups);
  // What is missing where the first of two has released, and the second one has seen.
  const auto missing = [&](const std::string& first, const std::optional<RaceOrder::Scope>& told,
                           const std::string& second, const std::optional<RaceOrder::Scope>& saw) {
    std::string text;
    const auto add = [&](const std::string& more) {
      text += (text.empty() ? "" : ", and ") + more;
    };
    if (!told)
      add(fmt::format("{} has no {} between its access and giving the lock back", first, fence));
    else if (*told == RaceOrder::Scope::Block && between_groups)
      add(fmt::format("the fence or release of {} after its access has the scope of a work-group: "
                      "it needs {}",
                      first, fence));
    if (!saw)
      add(fmt::format("{} has no {} between taking the lock and its access", second, fence));
    else if (*saw == RaceOrder::Scope::Block && between_groups)
      add(fmt::format("the fence or acquire of {} after it takes the lock has the scope of a "
                      "work-group: it needs {}",
                      second, fence));
    return text;
  };
  const auto nothing_if = [](const std::string& first, const std::string& why) {
    return fmt::format("a lock orders the two in this run, but nothing does if {} takes it first: "
                       "{}",
                       first, why);
  };
  if (const std::string why = missing(me, released, other, one.fences.other_saw); !why.empty())
    return nothing_if(me, why);
  if (const std::string why = missing(other, one.fences.other_released, me, one.fences.saw);
      !why.empty())
    return fmt::format("a lock orders the two with the help of others in this run, but not if one "
                       "takes it right after the other: {}",
                       why);
  return {};
}

// Reports the pair unless messages besides locks make one come first.
void Races::report_locked(const LockedPair& pair) {
  constexpr unsigned kMostQuestions = 16; // an answer takes long
  const unsigned theirs = marks_.site_of(pair.mark);
  const auto [first, second] = std::minmax(pair.mine.site, theirs);
  const char* const kind = pair.same_value ? "race_same_value" : "race";
  if (findings_.index_of(kind, first, second) == Findings::kNone) {
    unsigned& led = led_[{first, second}];
    if (led == kMostQuestions)
      return;
    if (locks_.leads(thread_that_left(pair.mark), marks_.epoch_of(pair.mark),
                     thread_of(marks_.item_of(pair.mine.mark)))) {
      ++led;
      return;
    }
  }
  const std::uint64_t running = std::exchange(context_.item, marks_.item_of(pair.mine.mark));
  if (Finding* const finding = add(kind, pair.mine.site, theirs))
    describe(*finding, pair.at, pair.mine, pair.mark, pair.kind, pair.same_value, pair.why);
  context_.item = running;
}

} // namespace gputest::simulator
