// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes inputs until they obey requirements on elements of buffers, which inputs that are made
// without a thought of them hardly ever do: sorted numbers, permutations, sums, and elements that
// agree with sizes and scalars.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/elements.h"
#include "testgen/inputs/random.h"

#include <map>
#include <vector>

namespace gputest::testgen {

class Repair {
public:
  // References must outlive this. Without a requirement on elements, nothing is ever changed: then
  // an input that breaks a requirement is left out.
  Repair(const Target& target, const Constraints& constraints);

  bool is_needed() const { return needed_; }

  // Returns whether the constraints hold, after changes of elements, integer scalars and sizes of
  // buffers. Keeps the launch. `random`: see obey() (elements.h).
  bool operator()(Input& input, Random* random) const;

private:
  using Part = Expression::Node;

  // One side of a comparison is changed: it must be, for example, at most the other side.
  struct Change {
    const Part *side, *other;
    std::string sign; // "==", "<=", …
  };
  // What is wanted in one round.
  struct Wanted {
    std::vector<const Part*> wholes, alls;
    std::vector<Change> changes;
  };

  void collect(const Part& part, unsigned round, Wanted& wanted) const;
  void collect_comparison(const Part& part, unsigned round, Wanted& wanted) const;
  bool can_change(const Part& side) const;
  std::optional<double> value(const Part& part, const Input& input) const;
  std::optional<double> wanted_value(const Change& change, double now, const Input& input,
                                     bool whole) const;
  void set_scalars(Input& input, const Wanted& wanted, Random* random) const;
  void set_sizes(Input& input, const Wanted& wanted) const;
  void set_elements(Input& input, const Wanted& wanted, std::size_t position, Random* random) const;
  void limit(ElementRules& rules, const Part& body, const std::string& name,
             const Input& input) const;
  bool gives_a_size(std::size_t position) const;
  std::optional<std::size_t> position_of(const std::string& name) const;
  void resize(Input& input, std::size_t position, std::size_t elements) const;

  const Target& target_;
  const Constraints& constraints_;
  bool needed_ = false;
};

} // namespace gputest::testgen
