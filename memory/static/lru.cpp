// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/lru.h"

#include <algorithm>
#include <bit>
#include <deque>

namespace gputest::memory {
namespace {

constexpr std::uint64_t kGone = ~std::uint64_t{0};

// The knowledge about a line at a point. Ages count lines of its set that were used since.
struct LineState {
  std::uint32_t most_age = 0, least_age = 0; // must and may; `ways`: not there
  std::uint32_t surely = 0, perhaps = 0;     // sectors that are there
  bool used = false;                         // may have been loaded before
  std::uint64_t younger = 0; // used: a bit for each line of the set that may have been used since
  bool operator==(const LineState&) const = default;
};

struct State {
  std::vector<LineState> lines;
  std::uint64_t ranges = 0; // of lines without numbers that may be there
  bool operator==(const State&) const = default;
};

class Flow {
public:
  Flow(const TouchGraph& graph, std::size_t ways)
      : graph_(graph), ways_(static_cast<std::uint32_t>(ways)), states_(graph.points.size()),
        known_(graph.points.size(), false) {
    for (const std::uint32_t set : graph.set)
      sets_.resize(std::max<std::size_t>(sets_.size(), set + 1));
    for (std::uint32_t line = 0; line < graph.set.size(); ++line) {
      bit_.push_back(sets_[graph.set[line]].size() < 64
                         ? std::uint64_t{1} << sets_[graph.set[line]].size()
                         : kGone);
      sets_[graph.set[line]].push_back(line);
    }
  }

  // The states in front of each point.
  void run() {
    State begin;
    begin.lines.resize(graph_.set.size(), {.most_age = ways_, .least_age = ways_});
    std::deque<std::uint32_t> work{0};
    std::vector<bool> waiting(graph_.points.size(), false);
    states_[0] = begin;
    known_[0] = true;
    while (!work.empty()) {
      const std::uint32_t point = work.front();
      work.pop_front();
      waiting[point] = false;
      State state = states_[point];
      for (const Touch& touch : graph_.points[point].touches)
        step(state, touch);
      for (const std::uint32_t next : graph_.points[point].successors) {
        if (known_[next] && !join(states_[next], state))
          continue;
        if (!known_[next])
          states_[next] = state;
        known_[next] = true;
        if (!waiting[next])
          work.push_back(next);
        waiting[next] = true;
      }
    }
  }

  const State& at(std::uint32_t point) const { return states_[point]; }

  TouchCertainty certainty(const State& state, const Touch& touch) const {
    if (touch.kind == Touch::Kind::Wait)
      return {};
    if (touch.kind == Touch::Kind::Drop)
      return {.certainty = Certainty::AlwaysMiss};
    bool hits = !touch.anything && !touch.lines.empty(),
         misses = !touch.anything || (touch.overlaps & state.ranges) == 0, persists = hits;
    if (touch.exact) {
      State now = state;
      for (const TouchedLine& one : touch.lines) {
        look_at(now.lines[one.line], one, hits, misses, persists);
        step(now, {.kind = touch.kind, .lines = {one}});
      }
    } else {
      for (const TouchedLine& one : touch.lines)
        look_at(state.lines[one.line], one, hits, misses, persists);
      // The first of several lines may evict the next.
      hits = hits && touch.times == 1;
      persists = persists && touch.times == 1;
    }
    persists = persists && touch.kind == Touch::Kind::Load; // a write-through loads nothing
    return {.certainty = hits       ? Certainty::AlwaysHit
                         : misses   ? Certainty::AlwaysMiss
                         : persists ? Certainty::Persistent
                                    : Certainty::NotClassified,
            .persists = hits || persists};
  }

  void step(State& state, const Touch& touch) const {
    if (touch.kind == Touch::Kind::Wait)
      return;
    if (touch.exact) {
      for (const TouchedLine& one : touch.lines)
        touch_one(state, touch.kind, one);
      return;
    }
    touch_some(state, touch);
  }

  bool may_hold(const State& state, const TouchedLine& one) const {
    return (state.lines[one.line].perhaps & one.sectors) != 0;
  }

private:
  void look_at(const LineState& line, const TouchedLine& one, bool& hits, bool& misses,
               bool& persists) const {
    hits = hits && (one.sectors & ~line.surely) == 0;
    misses = misses && (one.sectors & line.perhaps) == 0;
    persists = persists && (!line.used || stays(line));
  }

  // If it has been loaded before, it is still there.
  bool stays(const LineState& line) const {
    return line.younger != kGone && static_cast<unsigned>(std::popcount(line.younger)) < ways_;
  }

  void age_most(LineState& line, std::uint32_t by) const {
    line.most_age = std::min(ways_, line.most_age + std::min(by, ways_));
    if (line.most_age == ways_)
      line.surely = 0;
  }

  void age_least(LineState& line) const {
    if (line.least_age == ways_)
      return;
    ++line.least_age;
    if (line.least_age == ways_)
      line.perhaps = 0;
  }

  void touch_one(State& state, Touch::Kind kind, const TouchedLine& one) const {
    LineState& own = state.lines[one.line];
    const std::vector<std::uint32_t>& set = sets_[graph_.set[one.line]];
    if (kind == Touch::Kind::Drop) {
      for (const std::uint32_t other : set)
        if (LineState& line = state.lines[other];
            own.least_age < ways_ && line.least_age != 0 && line.least_age != ways_)
          --line.least_age; // older lines move up
      own.most_age = own.least_age = ways_;
      own.surely = own.perhaps = 0;
      if (own.used)
        own.younger = kGone;
      return;
    }
    const std::uint32_t most = own.most_age, least = own.least_age;
    const bool loads = kind == Touch::Kind::Load;
    for (const std::uint32_t other : set) {
      if (other == one.line)
        continue;
      LineState& line = state.lines[other];
      if (line.most_age < most)
        age_most(line, 1);
      if (line.least_age <= least && (loads || most < ways_))
        age_least(line);
      if (line.used)
        line.younger |= bit_[one.line];
    }
    if (loads || most < ways_) {
      own.most_age = 0;
      own.least_age = 0;
      // Another sector of a line that was evicted may be missing still.
      own.younger = graph_.sectors && own.used && !stays(own) ? kGone : 0;
    } else if (least < ways_) { // if it is there, it is now the youngest
      own.least_age = 0;
    }
    if (loads) {
      own.surely |= one.sectors;
      own.perhaps |= one.sectors;
      own.used = true;
    }
  }

  void touch_some(State& state, const Touch& touch) const {
    const bool drops = touch.kind == Touch::Kind::Drop, loads = touch.kind == Touch::Kind::Load;
    // Which lines of each set it may be.
    std::vector<std::uint64_t> bits(sets_.size(), 0);
    std::vector<std::uint32_t> count(sets_.size(), 0);
    std::vector<bool> touched(state.lines.size(), false);
    for (const TouchedLine& one : touch.lines) {
      touched[one.line] = true;
      bits[graph_.set[one.line]] |= bit_[one.line];
      ++count[graph_.set[one.line]];
    }
    for (std::uint32_t index = 0; index < state.lines.size(); ++index) {
      LineState& line = state.lines[index];
      const std::uint32_t set = graph_.set[index];
      const bool others = touch.anything || count[set] > (touched[index] ? 1U : 0U);
      if (drops) {
        if (touched[index]) {
          line.most_age = ways_;
          line.surely = 0;
          if (line.used)
            line.younger = kGone;
        }
        if (others && line.least_age != ways_)
          line.least_age = 0;
        continue;
      }
      if (others) {
        age_most(line, touch.times);
        if (line.used)
          line.younger |=
              touch.anything
                  ? kGone
                  : bits[set] & (touched[index] && bit_[index] != kGone ? ~bit_[index] : kGone);
      }
    }
    if (drops)
      return;
    for (const TouchedLine& one : touch.lines) {
      LineState& line = state.lines[one.line];
      if (loads) {
        line.least_age = 0;
        line.perhaps |= one.sectors;
        line.used = true;
      } else if (line.least_age < ways_) {
        line.least_age = 0;
      }
    }
    if (loads)
      state.ranges |= touch.ranges;
  }

  // Whether `to` has changed.
  static bool join(State& to, const State& from) {
    const State before = to;
    to.ranges |= from.ranges;
    for (std::size_t i = 0; i < to.lines.size(); ++i) {
      LineState& line = to.lines[i];
      const LineState& other = from.lines[i];
      line.most_age = std::max(line.most_age, other.most_age);
      line.least_age = std::min(line.least_age, other.least_age);
      line.surely &= other.surely;
      line.perhaps |= other.perhaps;
      line.younger |= other.younger;
      line.used = line.used || other.used;
    }
    return !(to == before);
  }

  const TouchGraph& graph_;
  const std::uint32_t ways_;
  std::vector<std::vector<std::uint32_t>> sets_; // their lines
  std::vector<std::uint64_t> bit_; // of each line in its set; kGone: the set has more than 64
  std::vector<State> states_;
  std::vector<bool> known_;
};

using Lines = std::vector<bool>;

bool add(Lines& to, const Lines& from) {
  bool changed = false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (from[i] && !to[i]) {
      to[i] = true;
      changed = true;
    }
  return changed;
}

// The knowledge in front of a touch.
struct Before {
  TouchCertainty certainty{};
  std::vector<bool> held{}; // by the touch's lines: may be there
};

} // namespace

TouchResult analyse_touches(const TouchGraph& graph, std::size_t ways) {
  Flow flow(graph, ways);
  flow.run();
  const std::size_t points = graph.points.size(), lines = graph.set.size();
  std::vector<std::vector<Before>> before(points);
  TouchResult result;
  result.certainty.resize(points);
  for (std::uint32_t point = 0; point < points; ++point) {
    if (!graph.points[point].reached)
      continue;
    State state = flow.at(point);
    for (const Touch& touch : graph.points[point].touches) {
      Before known{.certainty = flow.certainty(state, touch)};
      for (const TouchedLine& one : touch.lines)
        known.held.push_back(flow.may_hold(state, one));
      result.certainty[point].push_back(known.certainty);
      before[point].push_back(std::move(known));
      flow.step(state, touch);
    }
  }
  // By point: lines that may be used again from its begin on while they are cached.
  std::vector<Lines> reused(points, Lines(lines));
  result.exposed.assign(lines, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t point = points; point-- > 0;) {
      if (!graph.points[point].reached)
        continue;
      Lines reuse(lines);
      for (const std::uint32_t next : graph.points[point].successors)
        add(reuse, reused[next]);
      const std::vector<Touch>& touches = graph.points[point].touches;
      for (std::size_t i = touches.size(); i-- > 0;) {
        const Before& known = before[point][i];
        if (touches[i].kind == Touch::Kind::Wait ||
            known.certainty.certainty != Certainty::AlwaysHit)
          add(result.exposed, reuse);
        for (std::size_t j = 0; j < touches[i].lines.size(); ++j) {
          const std::uint32_t line = touches[i].lines[j].line;
          if (known.held[j])
            reuse[line] = true;
          else if (touches[i].exact)
            reuse[line] = false;
        }
      }
      changed = add(reused[point], reuse) || changed;
    }
  }
  return result;
}

} // namespace gputest::memory
