// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/memory_difference.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

template <typename Compare>
std::vector<MemoryDifference> differing(const BoundCase& expected, const BoundCase& actual,
                                        const Compare& compare_memory) {
  std::vector<MemoryDifference> result;
  for (std::size_t i = 0; i < expected.arguments.size(); ++i) {
    const Bytes &left = expected.arguments[i].bytes, &right = actual.arguments[i].bytes;
    if (left == right)
      continue;
    Comparison comparison = compare_memory(expected.types[i], left, right);
    if (!comparison.equal())
      result.push_back({i, std::move(comparison)});
  }
  return result;
}

} // namespace

std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual) {
  return differing(expected, actual, compare_bits);
}

std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual,
                                          const Tolerance& tolerance) {
  return differing(expected, actual,
                   [&](const model::Type& type, const Bytes& left, const Bytes& right) {
                     return compare(type, left, right, tolerance);
                   });
}

std::set<std::size_t> varying(const BoundCase& first, unsigned runs,
                              const std::function<BoundCase()>& again) {
  std::set<std::size_t> positions;
  for (unsigned i = 0; i < runs; ++i)
    for (const MemoryDifference& difference : differences(first, again()))
      positions.insert(difference.position);
  return positions;
}

std::string quoted_names(const std::set<std::size_t>& positions, const BoundCase& test_case) {
  std::string names;
  for (const std::size_t position : positions)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", test_case.arguments[position].name);
  return names;
}

} // namespace gputest::runtime
