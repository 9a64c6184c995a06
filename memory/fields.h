// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of an array's elements, as accesses show them.
#pragma once

#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

constexpr std::size_t kMostFields = 16, kMostColumns = 65'536;

// Both look at the accesses of an object and of its parts.

// Returns where the fields of elements of so many bytes begin: bytes that an access takes together
// are in one, and bytes that none takes are fields, too. Returns nothing if an access takes bytes
// of two elements, or if there are more than kMostFields.
std::vector<std::uint64_t> fields_of(const LaunchTrace& trace, std::uint32_t object,
                                     std::uint64_t element);

// Returns where the columns of `column` bytes begin in rows of `row` bytes. Returns nothing if an
// access is in two columns, if rows do not have whole columns, or more than kMostColumns.
std::vector<std::uint64_t> columns_of(const LaunchTrace& trace, std::uint32_t object,
                                      std::uint64_t row, std::uint64_t column);

} // namespace gputest::memory
