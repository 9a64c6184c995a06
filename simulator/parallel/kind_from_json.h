// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerators of the cache's files.
#pragma once

#include <nlohmann/json.hpp>

namespace gputest::simulator {

// Returns the enumerator with the number, from 0 to that of `last`. Throws
// nlohmann::json::out_of_range for other numbers: the file is damaged, or another version's.
template <typename Kind> Kind kind_from_json(const nlohmann::json& json, Kind last) {
  const auto number = json.get<int>();
  if (number < 0 || number > static_cast<int>(last))
    throw nlohmann::json::out_of_range::create(401, "no such kind", &json);
  return static_cast<Kind>(number);
}

} // namespace gputest::simulator
