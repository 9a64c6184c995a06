// What a launch did that no kernel may do.
#pragma once

#include "ir/kernel.h"

#include <array>
#include <cstdint>
#include <string>

namespace gputest::simulator {

// One work-item of the launch.
struct WorkItem {
  std::array<std::uint64_t, 3> group{}, local{};
};

struct Finding {
  std::string kind;    // "race", "race_same_value", "divergent_barrier", "out_of_bounds", …
  Site site{};         // line 0: not known
  std::string message; // without the place
  Site other{};        // of races the earlier access, of barriers where others wait; line 0: none
  std::uint64_t count = 1; // how often it was seen
  std::size_t order = 0;   // which was seen first
  std::string cause{}; // of several findings: they are mended together; empty: this is by itself
};

// "work-item (3, 0, 0) of group (1, 0, 0)"; `dimensions` numbers each.
std::string text_of(const WorkItem& item, unsigned dimensions);

// "(1, 0)"
std::string text_of(const std::array<std::uint64_t, 3>& place, unsigned dimensions);

// "kernel.cl:3:7", or that it is not known.
std::string place_text(const Site& site);

} // namespace gputest::simulator
