// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions as an author writes them, in one short line: "n < 4 && in[i] >= 8".
#pragma once

#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/table.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// The words that conditions are made of.
struct Vocabulary {
  std::span<const std::string> names{}; // of input units
  std::vector<bool> naturals{};         // units that are never negative
  const Functions* functions = nullptr; // of Call nodes, if there are any
};

// Returns a simpler condition that holds for the same inputs: a number that only tells of one
// decision, such as a bit that `coverage.cl` sets, becomes the decision. The table may become full.
Label plain_condition(Table& table, Label condition);

// Returns what must hold for `condition` to hold, in the order in which it is decided: a and b of
// a && b.
std::vector<Label> conjuncts_of(const Table& table, Label condition);

// Returns the text of conditions that hold together, with at most about `most` characters: "…"
// stands for parts that make it longer.
std::string text_of_conditions(const Table& table, std::span<const Label> conditions,
                               const Vocabulary& words, std::size_t most = 100);

// Returns the text of a value in the same way.
std::string text_of_value(const Table& table, Label value, const Vocabulary& words,
                          std::size_t most);

} // namespace gputest::testgen
