// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs with which work-items write the same value to one place: valid, but a finding of CHECK.
#include "testgen/input_search.h"

#include "testgen/weak.h"

#include <utility>

namespace gputest::testgen {

void InputSearch::take_later(const Input& input, const Outcome& outcome, bool weak) {
  for (const unsigned bit : new_bits(outcome))
    ++refused_[bit];
  if (!is_new(outcome, reached_later_))
    return;
  for (std::size_t i = 0; i < outcome.words.size(); ++i)
    reached_later_[i] |= outcome.words[i] & interesting_[i];
  later_.push_back({input, outcome, weak});
  corpus_.push_back({input, true, 0});
  made_progress();
}

// Its own launch with one work-item in some dimensions of a group, and all others.
std::vector<Shape> InputSearch::other_launches(const Shape& shape) const {
  std::vector<Shape> all;
  const bool free = constraints_.shapes.empty() && !target_.interface.required_work_group_size;
  for (unsigned flat = 1; free && flat < 1u << shape.dimensions; ++flat) {
    Shape other = shape;
    for (unsigned k = 0; k < shape.dimensions; ++k)
      if ((flat >> k & 1) != 0) {
        other.global[k] = shape.groups()[k];
        other.local[k] = 1;
      }
    if (target_.takes_group_of(other.items_of_group()))
      all.push_back(other);
  }
  all.insert(all.end(), mutator_.shapes().begin(), mutator_.shapes().end());
  return all;
}

void InputSearch::take_second_choice() {
  for (const Later& later : std::exchange(later_, {})) {
    take(later.input, later.outcome,
         {.weak = later.weak, .silent = false}); // the solver goes on from it, too
    const std::vector<Shape> shapes = other_launches(later.input.shape);
    for (const bool weak : {false, true}) // a weak one only if it has to be
      for (const Shape& shape : shapes)
        if ((weak || !later.weak) && !out_of_time() && is_new(later.outcome, reached_silently_))
          take_with(later, shape, weak);
  }
}

// Whether work-items write one place twice often depends on the launch alone.
void InputSearch::take_with(const Later& later, const Shape& shape, bool may_be_weak) {
  Input other = later.input;
  other.shape = shape;
  mutator_.set_sizes(other, true);
  mutator_.obey(other, false);
  if (shape == later.input.shape || !constraints_.hold(target_, other))
    return;
  try {
    Outcome outcome = worker_.run(other);
    if (outcome.outside)
      if (auto larger = grown(other, outcome))
        other = std::move(*larger);
    if (!outcome.clean() || !is_new(outcome, reached_silently_))
      return;
    const Checked checked = worker_.check(other);
    const bool weak = is_weak(target_, other, checked);
    if (!checked.silent() || (weak && !may_be_weak))
      return;
    if (kills_)
      kills_->add(other, outcome, [&](const Goal& goal) { return !reached(goal); });
    take(other, outcome, {.weak = weak});
  } catch (const OutOfTime&) { // the second choice stays
  }
}

} // namespace gputest::testgen
