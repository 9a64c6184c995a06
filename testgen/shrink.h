// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks inputs while they keep the property that they were found for.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/mutator.h"
#include "testgen/kills.h"
#include "testgen/worker.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::testgen {

class Shrinker {
public:
  // `kills`: what sets the bits of mutants; null: none. After `until`, or when the worker or
  // `keeps` throw OutOfTime, the smallest input found so far is returned. References must outlive
  // the shrinker.
  Shrinker(const Target& target, const Constraints& constraints, Kills* kills, Mutator& mutator,
           Worker& worker, Deadline until)
      : target_(target), constraints_(constraints), kills_(kills), mutator_(mutator),
        worker_(worker), until_(until) {}

  // Shrinks sizes first, then moves values towards 0, 1, and small and round numbers. The input
  // stays valid (or such that its faults can be assumed fixed), keeps the bits and does not become
  // weak. If it has several work-groups, or several work-items in a group, it keeps several.
  Input shrunk(Input input, const std::vector<unsigned>& bits);

  // Whether an input still has the property. The function may enlarge the input's memory to what it
  // needs. `fault`: the launch did not end or ended the process; it counts as many launches,
  // because it takes as long.
  struct Kept {
    bool kept = false, fault = false;
  };
  using Keeps = std::function<Kept(Input& input)>;
  Input shrunk(Input input, Keeps keeps);

private:
  static constexpr unsigned kMostLaunches = 1500; // for one input
  static constexpr unsigned kMostFaults = 40;     // the most launches if all of them are faults

  Kept keeps_bits(const Input& candidate);
  bool has_those_faults(const Checked& checked) const;
  bool accept(Input candidate);
  bool accept_either(const Input& candidate);
  void shrink();
  void shrink_shape();
  void shrink_offset();
  void shrink_scalars();
  void shrink_memory();
  void shrink_elements(std::size_t position);

  const Target& target_;
  const Constraints& constraints_;
  Kills* kills_;
  Mutator& mutator_;
  Worker& worker_;
  Deadline until_;

  Input best_;
  Keeps keeps_;
  std::vector<unsigned> bits_;
  bool weak_ = false, several_groups_ = false, several_items_ = false;
  bool silent_ = true; // the input's Checked::silent(), which must stay
  // The kinds and lines of the faults that are assumed to be fixed: no others may come. Empty:
  // none.
  std::set<std::pair<std::string, unsigned>> faults_;
  // Tries all small integers, and the ends of memory as well as the beginnings, because a failure
  // may depend on few values and one place. Set by the second shrunk().
  bool all_tried_ = false;
  unsigned launches_ = 0;
};

} // namespace gputest::testgen
