// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times that users give with a unit: "10min", "90s", "1.5h", "250ms"; a number alone means seconds.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace gputest::model {

// Returns seconds, above 0 and at most 1e9; nullopt: this is no such time.
inline std::optional<double> seconds_in(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc())
    return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 8> units{{{"", 1},
                                                                      {"ms", 1e-3},
                                                                      {"s", 1},
                                                                      {"sec", 1},
                                                                      {"m", 60},
                                                                      {"min", 60},
                                                                      {"h", 3600},
                                                                      {"d", 86400}}};
  for (const auto& [unit, seconds] : units)
    if (std::string_view(rest, static_cast<std::size_t>(end - rest)) == unit) {
      const double all = value * seconds;
      return std::isfinite(all) && all > 0 && all <= 1e9 ? std::optional(all) : std::nullopt;
    }
  return std::nullopt;
}

} // namespace gputest::model
