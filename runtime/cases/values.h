// Values of any kernel type in memory: from JSON, from a fill rule, and back to text.
#pragma once

#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gputest::runtime {

using Json = nlohmann::ordered_json;

// Writes one value: a number for a scalar; for a vector or struct an array of its members in order,
// or an object with all members' names (".x", ".s0" without the dot); nested arrays for array
// members; a union takes its first member, or an object with one name. Throws UsageError beginning
// with `what`.
void write_value(const model::Type& type, const Json& value, std::byte* to,
                 const std::string& what);

// One element for each entry of `values`.
Bytes elements_from(const model::Type& element, const Json& values, const std::string& what);

// What an argument holds that is not given value by value.
struct Fill {
  enum class Kind { Zero, Iota, Random, Value };
  Kind kind = Kind::Zero;
  Json low, high; // Random: null: 0 to 1 for floating, 0 to 100 for integer types
  Json value;     // Value
};

// "zero", "iota", "random", "random(low,high)", or a number. Throws UsageError beginning with
// `what`.
Fill parse_fill(const Json& fill, const std::string& what);

// `count` elements. Every scalar leaf of an element is filled: Iota gives element i the value i,
// Random draws floating leaves from [low, high) and integers from low to high inclusive. The same
// seed gives the same values on every machine. Values that do not fit throw UsageError beginning
// with `what`.
Bytes filled(const model::Type& element, std::size_t count, const Fill& fill, std::uint64_t seed,
             const std::string& what);

// Throws what filled() would throw, and makes nothing.
void check_fill(const model::Type& element, std::size_t count, const Fill& fill,
                const std::string& what);

// 16 hexadecimal digits that name a text in a cache: model::seed_for(0, text, "").
std::string fingerprint(std::string_view text);

} // namespace gputest::runtime
