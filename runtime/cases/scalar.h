// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes scalars of OpenCL C in memory, from and to JSON, text and numbers.
#pragma once

#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputest::runtime {

// Convert from and to IEEE 754 binary16. They round to nearest even, and NaN stays NaN.
float half_to_float(std::uint16_t half);
std::uint16_t half_from_double(double value);

// Writes `value` (a number, true, false, "nan", "inf", "-inf") as `scalar`. Rounds floating-point
// numbers to the nearest. Throws UsageError beginning with `what` ("argument 'n'") when the value
// is no number or does not fit: integers must be whole and in range, and finite numbers must stay
// finite.
void write_scalar(model::Scalar scalar, const nlohmann::ordered_json& value, std::byte* to,
                  const std::string& what);

// Writes a number that is known to fit, as the nearest value of the type.
void store_number(model::Scalar scalar, double value, std::byte* to);
// Writes the lowest bits of `value` where the type is an integer; otherwise as store_number().
void store_integer(model::Scalar scalar, std::uint64_t value, std::byte* to);

// Returns the number at `from`. 64-bit integers are rounded.
double read_scalar(model::Scalar scalar, const std::byte* from);

// Returns the integer at `from`, sign- or zero-extended to 64 bits.
std::uint64_t read_integer(model::Scalar scalar, const std::byte* from);

// Returns the scalar at `from` as write_scalar() takes it: a number, "nan", "inf" or "-inf".
nlohmann::ordered_json scalar_json(model::Scalar scalar, const std::byte* from);

// Returns the shortest text that reads back as the same value: "3", "0.1", "nan", "-inf".
std::string scalar_text(model::Scalar scalar, const std::byte* from);

} // namespace gputest::runtime
