// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/explore/explorer.h"

#include "ir/error.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace gputest::simulator {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostPairs = 200;

using Range = gputest_visit::gputest_range;

bool overlap(const Range& a, const Range& b) {
  return a.begin < b.begin + b.size && b.begin < a.begin + a.size;
}

bool dependent_ranges(const Range& a, const Range& b, std::uint64_t a_value,
                      std::uint64_t b_value) {
  if (!overlap(a, b) || (a.effect == GPUTEST_READS && b.effect == GPUTEST_READS))
    return false;
  const bool same = a.begin == b.begin && a.size == b.size && a.effect == b.effect;
  if (same && a.effect >= GPUTEST_ADDS)
    return false;
  return !(same && a.effect == GPUTEST_WRITES_VALUE && a_value == b_value);
}

bool same(const gputest_visit& a, const gputest_visit& b) {
  for (std::size_t i = 0; i < std::size(a.ranges); ++i)
    if (a.ranges[i].begin != b.ranges[i].begin || a.ranges[i].size != b.ranges[i].size ||
        a.ranges[i].effect != b.ranges[i].effect)
      return false;
  return a.site == b.site && a.value == b.value;
}

// A set of processes, sparse and read by words.
class ProcessSet {
  std::vector<std::uint64_t> words_;

public:
  explicit ProcessSet(std::size_t processes = 0) : words_((processes + 63) / 64) {}

  bool contains(std::size_t process) const {
    return (words_.data()[process / 64] >> (process % 64) & 1) != 0;
  }
  void insert(std::size_t process) { words_[process / 64] |= std::uint64_t{1} << (process % 64); }

  // Removes the processes for which `is_out` is true; asks in ascending order.
  template <typename Is> void erase_if(Is&& is_out) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        if (is_out(64 * i + static_cast<std::size_t>(std::countr_zero(left))))
          words_[i] &= ~(left & -left);
  }

  template <typename Is> bool any_of(Is&& is) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        if (is(64 * i + static_cast<std::size_t>(std::countr_zero(left))))
          return true;
    return false;
  }
};

// A vector clock: for each process, the number of its events that happen before or are the event.
using Clock = std::vector<std::uint32_t>;

// Shared, because many events have equal clocks.
using SharedClock = std::shared_ptr<Clock>;

void join(Clock& clock, const Clock& other) {
  std::uint32_t* const to = clock.data();
  const std::uint32_t* const from = other.data();
  for (std::size_t i = 0, size = clock.size(); i < size; ++i)
    to[i] = to[i] < from[i] ? from[i] : to[i];
}

// A process to try at a node, and the race that is the reason.
struct Alternative {
  std::size_t process = 0;
  DecidingPair::End first, second;
};

// A state of the current interleaving, and the event that leaves it.
struct Node {
  ProcessSet sleep;                      // processes that are done here
  std::vector<Alternative> alternatives; // the first was chosen without a race
  std::size_t chosen = 0;                // index in `alternatives`
  std::size_t reference = kNone;         // outcome of the first complete interleaving through here
  gputest_visit visit{};
  std::uint32_t number = 0; // the number of the process's event, from 1
  SharedClock clock;        // of the event

  std::size_t process() const { return alternatives[chosen].process; }
};

class Search {
public:
  Search(Interleaved& what, const ExplorationBounds& bounds)
      : what_(what), bounds_(bounds), processes_(what.processes()) {}

  Exploration run() {
    const auto start = std::chrono::steady_clock::now();
    do {
      restart();
      if (!finish())
        return std::move(result_);
      if (!backtrack())
        return std::move(result_);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      if (result_.interleavings >= bounds_.interleavings ||
          (bounds_.more != 0 && result_.outcomes > 1 &&
           explored_ >= explored_before_ + bounds_.more))
        result_.end = Exploration::End::Interleavings;
      else if (bounds_.seconds > 0 && taken.count() > bounds_.seconds)
        result_.end = Exploration::End::Seconds;
    } while (result_.end == Exploration::End::Exhausted);
    return std::move(result_);
  }

private:
  // Replays to the state before the last node's event, which has changed.
  void restart() {
    what_.restart();
    lowest_ = 0;
    clocks_.assign(processes_, std::make_shared<Clock>(processes_));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t process = nodes_[i].process();
      const gputest_visit* const visit = what_.next(process);
      if (!visit || (i + 1 < nodes_.size() && !same(*visit, nodes_[i].visit)))
        throw ir::SimulatorFailure(
            "the kernel does not do the same again in the same interleaving");
      if (i + 1 == nodes_.size())
        perform(nodes_[i], process);
      else
        move(nodes_[i], process);
    }
  }

  // Runs from there to the end; false: the bounds are reached first.
  bool finish() {
    while (true) {
      const auto process = next_process();
      if (!process) {
        if (!blocked_)
          end();
        return true;
      }
      if (nodes_.size() == bounds_.visits) {
        result_.end = Exploration::End::Visits;
        std::vector<std::size_t> visits(processes_);
        for (const Node& node : nodes_)
          ++visits[node.process()];
        result_.longest =
            static_cast<std::size_t>(std::ranges::max_element(visits) - visits.begin());
        for (const Node& node : nodes_)
          if (node.process() == result_.longest)
            result_.last = node.visit;
        return false;
      }
      Node node;
      node.sleep = std::move(sleep_);
      node.alternatives = {{*process, {}, {}}};
      nodes_.push_back(std::move(node));
      perform(nodes_.back(), *process);
    }
  }

  // Chooses the process that went last if it can go on, or else the lowest.
  std::optional<std::size_t> next_process() {
    blocked_ = false;
    if (nodes_.empty())
      sleep_ = ProcessSet(processes_);
    const auto awake = [&](std::size_t process) {
      return !sleep_.contains(process) && what_.next(process) != nullptr;
    };
    if (!nodes_.empty() && awake(nodes_.back().process()))
      return nodes_.back().process();
    for (; lowest_ < processes_; ++lowest_)
      if (awake(lowest_))
        return lowest_;
    blocked_ = sleep_.any_of([&](std::size_t asleep) { return what_.next(asleep) != nullptr; });
    return std::nullopt;
  }

  // Executes the event of the last node, `node`.
  void perform(Node& node, std::size_t process) {
    ++explored_;
    node.visit = *what_.next(process);
    node.clock = std::make_shared<Clock>(*clocks_[process]);
    node.number = ++(*node.clock)[process];
    find_races(process);
    // A dependent event wakes sleeping processes.
    sleep_ = node.sleep;
    sleep_.erase_if([&](std::size_t other) {
      const gputest_visit* const visit = what_.next(other);
      const bool wakes = other == process || !visit || dependent(*visit, node.visit);
      if (wakes)
        lowest_ = std::min(lowest_, other);
      return wakes;
    });
    for_each_word(node.visit, [&](std::uint64_t word) {
      history_[word][process].push_back(nodes_.size() - 1);
    });
    move(node, process);
  }

  void move(const Node& node, std::size_t process) {
    clocks_[process] = node.clock;
    if (const std::optional<Interleaved::Met> met = what_.step(process)) {
      lowest_ = std::min(lowest_, met->first);
      const SharedClock all = std::make_shared<Clock>(processes_);
      for (std::size_t one = met->first; one < met->second; ++one)
        join(*all, *clocks_[one]);
      for (std::size_t one = met->first; one < met->second; ++one)
        clocks_[one] = all;
    }
  }

  // Words have 8 bytes. A word in both ranges counts once.
  template <typename Do> static void for_each_word(const gputest_visit& visit, Do&& act) {
    std::uint64_t known_begin = 0, known_end = 0;
    for (const Range& range : visit.ranges) {
      if (range.size == 0)
        continue;
      const auto at = reinterpret_cast<std::uint64_t>(range.begin);
      const std::uint64_t begin = at / 8, end = (at + range.size - 1) / 8 + 1;
      for (std::uint64_t word = begin; word < end; ++word)
        if (word < known_begin || word >= known_end)
          act(word);
      known_begin = begin;
      known_end = end;
    }
  }

  bool before(const Node& node, const Clock& clock) const {
    return clock[node.process()] >= node.number;
  }

  // Finds events on which the last one depends. If nothing else orders such an event before it, the
  // reverse order must be tried.
  void find_races(std::size_t process) {
    Node& node = nodes_.back();
    const std::size_t own = nodes_.size() - 1;
    std::vector<std::size_t> earlier;
    for_each_word(node.visit, [&](std::uint64_t word) {
      for (const auto& [other, events] : history_[word])
        for (std::size_t i = events.size(); other != process && i-- > 0;) {
          if (before(nodes_[events[i]], *node.clock))
            break; // as are the events before it
          earlier.push_back(events[i]);
        }
    });
    std::ranges::sort(earlier, std::greater());
    earlier.erase(std::ranges::unique(earlier).begin(), earlier.end());
    std::vector<std::size_t> races;
    for (const std::size_t event : earlier) {
      if (!dependent(nodes_[event].visit, node.visit))
        continue;
      if (!before(nodes_[event], *node.clock))
        races.push_back(event);
      join(*node.clock, *nodes_[event].clock);
    }
    for (const std::size_t event : races)
      reverse(event, own);
  }

  // Ensures that some interleaving has the two racing events in reverse order.
  void reverse(std::size_t first, std::size_t second) {
    Node& node = nodes_[first];
    const Node& racing = nodes_[second];
    // Of the events independent of the first one, and the second one: which process may go first?
    std::vector<std::pair<std::size_t, std::uint32_t>> seen; // process, number of its first event
    std::vector<std::size_t> initials;
    for (std::size_t i = first + 1; i <= second; ++i) {
      const Node& event = nodes_[i];
      if (i != second && before(node, *event.clock))
        continue;
      const bool follows = std::ranges::any_of(
          seen, [&](const auto& one) { return (*event.clock)[one.first] >= one.second; });
      if (!follows)
        initials.push_back(event.process());
      if (std::ranges::find(seen, event.process(), &std::pair<std::size_t, std::uint32_t>::first) ==
          seen.end())
        seen.emplace_back(event.process(), event.number);
    }
    for (const Alternative& known : node.alternatives)
      if (std::ranges::find(initials, known.process) != initials.end())
        return;
    const bool itself = std::ranges::find(initials, racing.process()) != initials.end();
    node.alternatives.push_back({itself ? racing.process() : initials.front(),
                                 {node.process(), node.visit},
                                 {racing.process(), racing.visit}});
  }

  // Records the end of an interleaving.
  void end() {
    ++result_.interleavings;
    const std::size_t outcome = what_.outcome();
    if (outcome == result_.outcomes) {
      if (outcome < Exploration::kMostOutcomes)
        result_.schedules.push_back(turns());
      ++result_.outcomes;
    }
    if (outcome == 1 && result_.outcomes == 2 && explored_before_ == 0)
      explored_before_ = explored_;
    for (std::size_t i = nodes_.size(); i-- > 0;) { // the last node of other interleavings
      if (nodes_[i].reference == kNone)
        continue;
      if (nodes_[i].reference != outcome &&
          std::max(nodes_[i].reference, outcome) < Exploration::kMostOutcomes)
        add_pair(nodes_[i], outcome);
      break;
    }
    for (Node& node : nodes_)
      if (node.reference == kNone)
        node.reference = outcome;
  }

  void add_pair(const Node& node, std::size_t outcome) {
    const Alternative& taken = node.alternatives[node.chosen];
    const std::uint64_t one = taken.first.visit.site, other = taken.second.visit.site;
    if (result_.pairs.size() < kMostPairs && sites_.insert(std::minmax(one, other)).second)
      result_.pairs.push_back({taken.first, taken.second, node.reference, outcome});
  }

  std::vector<Turn> turns() const {
    std::vector<Turn> turns;
    for (const Node& node : nodes_) {
      const auto process = static_cast<std::uint32_t>(node.process());
      if (turns.empty() || turns.back().process != process)
        turns.push_back({process, 0});
      ++turns.back().count;
    }
    return turns;
  }

  // Goes back to the last node with an alternative left; false: there is none.
  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      for_each_word(node.visit,
                    [&](std::uint64_t word) { history_[word][node.process()].pop_back(); });
      node.sleep.insert(node.process());
      while (++node.chosen < node.alternatives.size())
        if (!node.sleep.contains(node.process()))
          return true;
      nodes_.pop_back();
    }
    return false;
  }

  Interleaved& what_;
  const ExplorationBounds& bounds_;
  std::size_t processes_;
  std::vector<Node> nodes_;
  std::vector<SharedClock> clocks_;                  // by process, at the last node
  ProcessSet sleep_;                                 // likewise
  std::uint64_t explored_ = 0, explored_before_ = 0; // in visits; explored_before_: before outcomes
                                                     // differed
  std::size_t lowest_ = 0;                           // all processes below are blocked or asleep
  bool blocked_ = false;                             // all processes that could go on are asleep
  // Events by 8 bytes of memory and by process, in their order.
  std::unordered_map<std::uint64_t, std::map<std::size_t, std::vector<std::size_t>>> history_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> sites_; // of pairs
  Exploration result_;
};

} // namespace

bool dependent(const gputest_visit& first, const gputest_visit& second) {
  for (const Range& a : first.ranges)
    for (const Range& b : second.ranges)
      if (dependent_ranges(a, b, first.value, second.value))
        return true;
  return false;
}

Exploration explore(Interleaved& what, const ExplorationBounds& bounds) {
  return Search(what, bounds).run();
}

bool replay(Interleaved& what, const std::vector<Turn>& turns, std::size_t visits) {
  what.restart();
  std::size_t made = 0, last = 0;
  for (const Turn& turn : turns)
    for (std::uint32_t i = 0; i < turn.count && what.next(turn.process); ++i, ++made)
      what.step(last = turn.process);
  while (made++ < visits) {
    for (std::size_t i = 0; !what.next(last) && i < what.processes(); ++i)
      last = i;
    if (!what.next(last))
      return true;
    what.step(last);
  }
  return false;
}

} // namespace gputest::simulator
