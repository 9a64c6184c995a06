// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names kernels and titles in reports.
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

template <typename T>
concept NamedResults = requires(const T& results) {
  { results.kernel } -> std::convertible_to<std::string_view>;
  { results.name } -> std::convertible_to<std::string_view>;
};

// Returns "add (sum)": the kernel, and the name that the build file gives it if that is another
// one.
template <NamedResults Results> std::string label_of(const Results& results) {
  return results.name.empty() || results.name == results.kernel
             ? results.kernel
             : fmt::format("{} ({})", results.kernel, results.name);
}

// Returns "Coverage of add" or "Coverage of 3 kernels". `what` is "Coverage". `results` projects an
// entry to the object that has its kernel's names.
template <typename Entry, typename Projection = std::identity>
std::string title_of(std::string_view what, const std::vector<Entry>& entries,
                     Projection results = {}) {
  return entries.size() == 1
             ? fmt::format("{} of {}", what, label_of(std::invoke(results, entries.front())))
             : fmt::format("{} of {} kernels", what, entries.size());
}

} // namespace gputest::report
