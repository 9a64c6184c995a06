// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a launch (an NDRange), in work-items. Unused dimensions have size 1 and offset 0.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputest::model {

struct Sizes {
  unsigned dimensions = 1; // 1, 2 or 3
  // A local size of 0 means that the implementation chooses it.
  std::array<std::uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};

  // Returns the numbers of groups, counting a last group that is not full. Where the implementation
  // chose the local size, the result is one group.
  std::array<std::uint64_t, 3> groups() const;
  std::uint64_t group_count() const;
  std::uint64_t items() const;          // of the launch
  std::uint64_t items_of_group() const; // of a full one

  bool operator==(const Sizes&) const = default;
  auto operator<=>(const Sizes&) const = default;
};

// Returns "64 x 8 work-items in groups of 16 x 8". A local size of 0 is left out.
std::string text_of(const Sizes& sizes);

// The JSON of schedules, run folders and messages to the simulator has a number for each dimension:
// {"global_size": [64, 8], "local_size": [16, 8], "global_offset": [0, 0]}. from_json() throws
// FormatError.
void to_json(nlohmann::ordered_json& json, const Sizes& sizes);
void from_json(const nlohmann::ordered_json& json, Sizes& sizes);

} // namespace gputest::model
