// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what a work-item can access only if it takes one side of a branch.
#pragma once

#include "memory/static/classify.h"
#include "memory/static/kernel.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace gputest::memory {

// The promise of a way: higher ones are tried first. Conflicts count before misses.
struct Promise {
  std::uint64_t conflicts = 0; // references whose lines others can evict
  std::uint64_t misses = 0;    // references that do not surely hit
  auto operator<=>(const Promise&) const = default;
};

class Reach {
public:
  Reach(const StaticKernel& kernel, const StaticReport& known);

  // Returns the promise of the references that run only if the branch at this place goes this way.
  // Zeros: there is no such branch.
  Promise of(const std::string& file, unsigned line, unsigned column, bool way) const;

private:
  using Place = std::tuple<std::string, unsigned, unsigned, bool>;
  std::map<Place, Promise> promises_;
};

} // namespace gputest::memory
