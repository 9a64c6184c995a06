// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/allocation.h"

#include "gputest/error.h"
#include "runtime/machine/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace gputest::runtime {
namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

template <typename Number> bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns 2 for "id:2,slots:1;id:3,slots:1".
std::size_t first_id(const std::string& variable, const std::string& text) {
  std::size_t index = 0;
  const std::string_view id = std::string_view(text).substr(0, text.find_first_of(",;"));
  if (!id.starts_with("id:") || !read(id.substr(3), index))
    throw UsageError(fmt::format("CTest has allocated {}={}, and ids must be numbers of devices: "
                                 "write the resource specification with `gputest resources`",
                                 variable, text));
  return index;
}

} // namespace

std::string_view resource_of(std::string_view wanted) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> resources{
      {{"", "gpus"}, {"gpu", "gpus"}, {"cpu", "cpus"}, {"accelerator", "accelerators"}}};
  const auto found = std::ranges::find(resources, wanted, &decltype(resources)::value_type::first);
  return found == resources.end() ? "" : found->second;
}

std::optional<std::size_t> allocated_device(const std::string& wanted) {
  unsigned groups = 0;
  const std::string resource = upper(resource_of(wanted));
  if (resource.empty() || !read(environment("CTEST_RESOURCE_GROUP_COUNT"), groups))
    return std::nullopt;
  for (unsigned group = 0; group < groups; ++group) {
    const std::string variable = fmt::format("CTEST_RESOURCE_GROUP_{}_{}", group, resource);
    if (const std::string text = environment(variable); !text.empty())
      return first_id(variable, text);
  }
  return std::nullopt;
}

} // namespace gputest::runtime
