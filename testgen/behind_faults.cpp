// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs for what is behind a fault, if that is assumed to be mended.
#include "testgen/input_search.h"

#include <algorithm>

namespace gputest::testgen {

bool can_be_assumed_fixed(const Checked& checked) {
  return !checked.valid() && checked.fault == Fault::None &&
         std::ranges::all_of(checked.findings, [](const simulator::Finding& finding) {
           return finding.kind == "race" || finding.kind == "race_same_value" ||
                  finding.kind == "lock_step" || finding.kind == "out_of_bounds";
         });
}

void InputSearch::assume_fixed() {
  assumes_fixed_ = true;
  refused_.clear();
  for (const Entry& entry : corpus_)
    if (!entry.valid)
      again_.emplace_back(entry.input, 0);
}

void InputSearch::take_behind(const Input& input, const Outcome& outcome) {
  for (const unsigned bit : new_bits(outcome))
    behind_.insert(bit);
  take(input, outcome, {.silent = false});
}

} // namespace gputest::testgen
