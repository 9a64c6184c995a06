// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of enumerators, and lists of names for people.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::model {

// Returns the enumerator of that name. `names` are in order of declaration.
template <typename Enum, std::size_t size>
std::optional<Enum> enumerator_named(const std::array<std::string_view, size>& names,
                                     std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// Adds the name to a list, "A, B", unless it is empty or in the list.
inline void add_name(std::string& list, const std::string& name) {
  if (name.empty() || (", " + list + ", ").find(", " + name + ", ") != std::string::npos)
    return;
  list += (list.empty() ? "" : ", ") + name;
}

} // namespace gputest::model
