// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of an analysis's work: the K-th of N.
#pragma once

#include <optional>
#include <string>

namespace gputest::model {

struct Shard {
  unsigned number = 1, of = 1;
  bool is_part() const { return of != 1; }
};

// Reads a shard such as "2/8"; nullopt: the text is none.
std::optional<Shard> shard_in(const std::string& text);

} // namespace gputest::model
