// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/launches/sizes.h"

#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gputest::model {
namespace {

struct Key {
  const char* name;
  std::array<std::uint64_t, 3> Sizes::* numbers;
};
constexpr std::array kKeys{Key{"global_size", &Sizes::global}, Key{"local_size", &Sizes::local},
                           Key{"global_offset", &Sizes::offset}};

std::uint64_t product(const std::array<std::uint64_t, 3>& sizes) {
  std::uint64_t result = 1;
  for (const std::uint64_t size : sizes)
    if (__builtin_mul_overflow(result, size, &result))
      return std::numeric_limits<std::uint64_t>::max();
  return result;
}

} // namespace

std::array<std::uint64_t, 3> Sizes::groups() const {
  std::array<std::uint64_t, 3> result{1, 1, 1};
  for (unsigned i = 0; i < 3; ++i)
    if (local[i] != 0)
      result[i] = global[i] / local[i] + (global[i] % local[i] != 0 ? 1 : 0);
  return result;
}

std::uint64_t Sizes::group_count() const {
  return product(groups());
}

std::uint64_t Sizes::items() const {
  return product(global);
}

std::uint64_t Sizes::items_of_group() const {
  return product(local);
}

std::string text_of(const Sizes& sizes) {
  const auto list = [&](const std::array<std::uint64_t, 3>& of) {
    return fmt::format("{}", fmt::join(of.begin(), of.begin() + sizes.dimensions, " x "));
  };
  const std::string items = fmt::format("{} work-items", list(sizes.global));
  return sizes.local[0] == 0 ? items : fmt::format("{} in groups of {}", items, list(sizes.local));
}

void to_json(Json& json, const Sizes& sizes) {
  for (const Key& key : kKeys) {
    Json& numbers = json[key.name] = Json::array();
    for (unsigned i = 0; i < sizes.dimensions; ++i)
      numbers.push_back((sizes.*key.numbers)[i]);
  }
}

void from_json(const Json& json, Sizes& sizes) {
  const std::size_t dimensions = required_array(json, "global_size").size();
  if (dimensions < 1 || dimensions > 3)
    throw FormatError("key 'global_size': give 1 to 3 numbers");
  sizes = {.dimensions = static_cast<unsigned>(dimensions)};
  for (const Key& key : kKeys) {
    const Json& numbers = required_array(json, key.name);
    if (numbers.size() != dimensions)
      throw FormatError(
          fmt::format("key '{}' has {} numbers, not {}", key.name, numbers.size(), dimensions));
    for (std::size_t i = 0; i < dimensions; ++i) {
      if (!holds<std::uint64_t>(numbers[i]))
        throw FormatError(
            fmt::format("key '{}': {} is no whole number from 0", key.name, numbers[i].dump()));
      (sizes.*key.numbers)[i] = numbers[i].get<std::uint64_t>();
    }
  }
}

} // namespace gputest::model
