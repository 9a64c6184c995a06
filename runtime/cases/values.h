// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes values of any kernel type to memory, from JSON or by a fill rule.
#pragma once

#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gputest::runtime {

using Json = nlohmann::ordered_json;

// Writes one value. A scalar takes a number. A vector or struct takes an array of its members in
// order, or an object with the names of all members (".x", ".s0" without the dot). An array member
// takes a nested array. A union takes a value for its first member, or an object with one name.
// Throws UsageError beginning with `what`.
void write_value(const model::Type& type, const Json& value, std::byte* to,
                 const std::string& what);

// Returns one element for each entry of `values`. Throws UsageError beginning with `what`.
Bytes elements_from(const model::Type& element, const Json& values, const std::string& what);

// A rule that fills an argument, in place of single values.
struct Fill {
  enum class Kind { Zero, Iota, Random, Value };
  Kind kind = Kind::Zero;
  Json low, high; // Random; null: 0 to 1 for floating-point types, 0 to 100 for integers
  Json value;     // Value
};

// Reads "zero", "iota", "random", "random(low,high)", or a number. Throws UsageError beginning with
// `what`.
Fill parse_fill(const Json& fill, const std::string& what);

// Returns `count` elements, in which every scalar leaf is filled. Iota gives element i the value i.
// Random draws floating-point leaves from [low, high), and integers from low to high inclusive. The
// same seed gives the same values on every machine. Throws UsageError beginning with `what` for
// values that do not fit.
Bytes filled(const model::Type& element, std::size_t count, const Fill& fill, std::uint64_t seed,
             const std::string& what);

// Throws what filled() would throw, and makes no elements.
void check_fill(const model::Type& element, std::size_t count, const Fill& fill,
                const std::string& what);

// Returns 16 hexadecimal digits that name a text in a cache: model::seed_for(0, text, "").
std::string fingerprint(std::string_view text);

} // namespace gputest::runtime
