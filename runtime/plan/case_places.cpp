// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/case_places.h"

#include "model/files.h"

#include <algorithm>
#include <string_view>

namespace gputest::runtime {
namespace {

// Returns the line of `"name": "<name>"`; 1: it is not there in this spelling.
std::size_t line_of(std::string_view text, const std::string& name) {
  constexpr std::string_view kKey = "\"name\"", kBlanks = " \t\r\n";
  const std::string value =
      Json(name).dump(-1, ' ', false, Json::error_handler_t::replace); // with quotation marks
  for (std::size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + 1)) {
    std::size_t next = text.find_first_not_of(kBlanks, at + kKey.size());
    if (next == std::string_view::npos || text[next] != ':')
      continue;
    next = text.find_first_not_of(kBlanks, next + 1);
    if (next != std::string_view::npos && text.substr(next).starts_with(value))
      return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
  }
  return 1;
}

} // namespace

model::Json places_of(std::span<const TestCase> cases) {
  model::Json places = model::Json::array();
  for (const TestCase& test_case : cases) {
    places.push_back({{"name", test_case.name}});
    if (test_case.file.empty())
      continue;
    places.back()["file"] = test_case.file.string();
    places.back()["line"] = line_of(model::read_text(test_case.file).value_or(""), test_case.name);
  }
  return places;
}

} // namespace gputest::runtime
