// Documents in which one number is absurd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace gputest::tests {

// Calls `use` with a copy of `good` for each of its numbers and each absurd value in its place, and
// with where it is, "/kernels/0/line". Returns how many copies there were.
template <typename Use>
std::size_t with_absurd_numbers(const nlohmann::ordered_json& good, Use use) {
  using Json = nlohmann::ordered_json;
  const Json values[] = {Json(-1),
                         Json(0),
                         Json(1000000),
                         Json(2147483647),
                         Json(2147483648),
                         Json(4294967295),
                         Json(std::uint64_t{1} << 40),
                         Json(std::uint64_t{1} << 63),
                         Json(std::numeric_limits<std::uint64_t>::max()),
                         Json(std::numeric_limits<std::int64_t>::min()),
                         Json(0.5),
                         Json(1e300)};
  std::size_t count = 0;
  const Json numbers = good.flatten();
  for (const auto& [where, value] : numbers.items())
    if (value.is_number())
      for (const Json& absurd : values) {
        Json copy = good;
        copy[Json::json_pointer(where)] = absurd;
        use(copy, where + " = " + absurd.dump());
        ++count;
      }
  return count;
}

} // namespace gputest::tests
