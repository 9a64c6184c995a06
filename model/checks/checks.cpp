// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/checks.h"

#include <algorithm>

namespace gputest::model {
namespace {

// NOLINTBEGIN(bugprone-macro-parentheses)
#define GPUTEST_VARIANT(...)
#define GPUTEST_CHECK(name, fallback, finds, ...)                                                  \
  constexpr KindOfFinding kKindsOf_##name[] = {__VA_ARGS__};
#include "model/checks.def" // IWYU pragma: keep

constexpr CheckRow kRows[] = {
#define GPUTEST_GUARD(name, fallback, finds, ...)                                                  \
  {#name, std::string_view(fallback) == "on", finds, true, kKindsOf_##name},
#define GPUTEST_HOST(name, fallback, finds, ...)                                                   \
  {#name, std::string_view(fallback) == "on", finds, false, kKindsOf_##name, true},
#define GPUTEST_VARIANT(of, name, fallback, finds)                                                 \
  {#name, std::string_view(fallback) == "on", finds, false, {}, false, #of},
#define GPUTEST_CHECK(name, fallback, finds, ...)                                                  \
  {#name, std::string_view(fallback) == "on", finds, false, kKindsOf_##name},
#include "model/checks.def"
};
// NOLINTEND(bugprone-macro-parentheses)

constexpr KindOfFinding kOtherKinds[] = {
    {"inter_group_dependency", "A work-group waits for one that may not have run"},
    {"endless", "A launch does not end"},
    {"stack_overflow", "The private variables of a work-item are too large"},
    {"assertion", "An assertion of the kernel fails"},
    {"trap", "The kernel ends itself"},
    {"order_dependence", "The order of two accesses decides the outputs"},
    {"sub_group_dependence", "The size of sub-groups decides the outputs"}};

} // namespace

std::span<const CheckRow> check_rows() {
  return kRows;
}

std::vector<std::string> default_checks() {
  std::vector<std::string> names;
  for (const CheckRow& row : kRows)
    if (row.on)
      names.emplace_back(row.name);
  return names;
}

const CheckRow* find_check(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &CheckRow::name);
  return found == std::end(kRows) ? nullptr : found;
}

std::span<const KindOfFinding> other_kinds() {
  return kOtherKinds;
}

} // namespace gputest::model
