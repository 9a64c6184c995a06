// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that choose addresses and ways. Where an address depends on what buffers hold, such as
// `keys[i] % 64` for `bins`, contents are looked for that bring the accesses of all work-items
// together at one place, in one set of the nearest cache, one bank of a cache, of DRAM or of local
// memory, or that bring each work-item of a warp to a line of its own. Where a branch depends on
// them, contents are looked for with which all work-items go one way.
#pragma once

#include "memory/generate/inputs.h"
#include "memory/model/layout.h"
#include "memory/model/trace.h"
#include "testgen/concolic/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::memory {

class Addresses {
public:
  enum class Goal : std::uint8_t {
    OnePlace,
    OneSet,
    OneDramBank,
    OneCacheBank, // of the first shared cache, where atomic operations happen
    OneLocalBank,
    ManyLines,
    True, // of branches
    False
  };
  struct Aim {
    std::uint32_t site = 0; // of the trace of expressions
    Goal goal = Goal::OnePlace;
    // Which set, bank or place: 0 is the one that can have most lines. Another one may be worse
    // together with what other references do.
    std::size_t rank = 0;
    // How many different lines an instruction of a warp comes to, at most. With few lines a warp by
    // itself is quick, and as long as those of all warps do not fit into the cache, each misses.
    std::size_t lines = kAnyLines;
  };
  static constexpr std::size_t kAnyLines = ~std::size_t{0};
  // A part of a site's events: those of some warps, or some of each warp's. [0, 1) is all of them.
  struct Part {
    double begin = 0, end = 1;
    bool of_each_warp = false;
    bool is_all() const { return begin <= 0 && end >= 1; }
  };
  // By unit. What has been chosen stays as it is.
  struct Values {
    std::vector<std::uint64_t> values;
    std::vector<bool> chosen;
  };

  // `traced`: the run whose values are changed; `trace`: what its warps did; `chosen`: by unit, or
  // empty. References must outlive this object.
  Addresses(const testgen::Traced& traced, const LaunchTrace& trace, const Gpu& gpu,
            const Inputs& inputs, std::size_t items_of_group, std::vector<bool> chosen = {});

  static bool is_branch(Goal goal) { return goal == Goal::True || goal == Goal::False; }
  // Whether it matters how many lines there are.
  static bool has_lines(Goal goal) { return !is_branch(goal) && goal != Goal::OnePlace; }

  // What is to be tried, by site: branches first, then the accesses that are most frequent. For
  // each access the goals that fit its memory.
  std::vector<std::vector<Aim>> aims(std::size_t rank = 0) const;

  // Returns values with which as many events of the site as possible do what the goal says.
  // nullopt: no value changes where they go.
  std::optional<Values> values_for(const Aim& aim, const Part& part);
  // Says what the traced run does at the site: "'keys' brings all 1,024 accesses to 'bins' at
  // k.cl:3:5 to one of 256 elements". Empty: no unit there has another value than in `before`.
  std::string text_of(const Aim& aim, const std::vector<std::uint64_t>& before) const;
  // Later values_for() keep what these have chosen.
  void keep(const Values& values);
  const std::vector<bool>& chosen() const { return current_.chosen; }

private:
  struct Access {
    std::size_t object = 0; // of the model's trace
    std::uint64_t warp = 0; // the instruction of a warp that it is part of
    std::uint32_t bytes = 0;
    testgen::Tape value;
    std::vector<std::size_t> units; // that the value depends on
  };
  // What a value brings: the set, bank, place or side of the branch, and a line or word there.
  struct Way {
    std::uint64_t value = 0, where = 0, line = 0;
  };

  std::optional<std::size_t> object_of(const testgen::Event& event) const;
  std::vector<Access>& accesses_of(const Aim& aim) const;
  std::vector<Access*> accesses_of(const Aim& aim, const Part& part) const;
  const std::vector<std::uint64_t>& candidates_of(std::size_t unit);
  std::vector<std::uint64_t> form_of(const testgen::Tape& tape, std::size_t unit) const;
  const std::vector<Way>& ways_of(const Aim& aim, Access& access, std::size_t unit);
  std::optional<Way> way_of(Goal goal, const Access& access, std::uint64_t value) const;
  std::optional<std::uint64_t> place_for(const Aim& aim, const std::vector<Access*>& accesses);

  const testgen::Traced& traced_;
  const LaunchTrace& trace_;
  const Gpu& gpu_;
  const Inputs& inputs_;
  const std::size_t items_of_group_;
  const Layout layout_;
  const CacheLevel* shared_ = nullptr; // the first shared cache, if it has several banks
  Values current_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>> candidates_;

  mutable std::map<std::uint32_t, std::vector<Access>> accesses_; // by site, as soon as asked for

  // While values_for() looks for values.
  Values values_;
  std::map<std::vector<std::uint64_t>, std::vector<Way>> known_; // by the form of an expression
  std::vector<Way> other_;                                       // of a form that is not kept
  std::uint64_t work_ = 0;
};

} // namespace gputest::memory
