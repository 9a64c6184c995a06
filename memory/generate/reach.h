// What a work-item may still access when it takes one side of a branch and not the other.
#pragma once

#include "memory/static/classify.h"
#include "memory/static/program.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace gputest::memory {

// How much it promises to go somewhere: caches first.
struct Promise {
  std::uint64_t conflicts = 0; // references that face conflicts with lines of others
  std::uint64_t misses = 0;    // references that do not surely hit
  auto operator<=>(const Promise&) const = default;
};

class Reach {
public:
  Reach(const StaticProgram& program, const StaticReport& known);

  // What references promise that can run only if the branch at this place goes this way. Nothing:
  // there is no such branch.
  Promise of(const std::string& file, unsigned line, unsigned column, bool way) const;

private:
  using Place = std::tuple<std::string, unsigned, unsigned, bool>;
  std::map<Place, Promise> promises_;
};

} // namespace gputest::memory
