// Smaller inputs that still do what they were found for.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/mutator.h"
#include "testgen/mutants/kills.h"
#include "testgen/worker.h"

#include <functional>
#include <vector>

namespace gputest::testgen {

class Shrinker {
public:
  // `kills`: whose bits are mutants; null: none. `until`: what was found by then is returned, also
  // where the worker or `keeps` throw OutOfTime.
  Shrinker(const Target& target, const Constraints& constraints, Kills* kills, Mutator& mutator,
           Worker& worker, Deadline until)
      : target_(target), constraints_(constraints), kills_(kills), mutator_(mutator),
        worker_(worker), until_(until) {}

  // Sizes first, then values towards 0, 1, small and round ones, as long as the input is valid,
  // keeps the bits, more than one work-group and more than one work-item in each if it has
  // those, and does not become weak.
  Input shrunk(Input input, const std::vector<unsigned>& bits);

  // Whether an input still does it; the memory of the input may grow to what it needs. `fault`:
  // the launch did not end, or ended the process, which takes as long as many others.
  struct Kept {
    bool kept = false, fault = false;
  };
  using Keeps = std::function<Kept(Input& input)>;
  Input shrunk(Input input, Keeps keeps);

private:
  static constexpr unsigned kMostLaunches = 1500; // of one input
  static constexpr unsigned kMostFaults = 40;     // of these, where all are

  Kept keeps_bits(const Input& candidate);
  bool accept(Input candidate);
  bool accept_either(const Input& candidate);
  void shrink();
  void shrink_shape();
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
  // All small integers, and the ends of memory as well as its beginnings: a fault may be of few
  // values and at one place.
  bool all_tried_ = false;
  unsigned launches_ = 0;
};

} // namespace gputest::testgen
