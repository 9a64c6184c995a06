// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/columns.h"

#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::report {

unsigned Utf16Columns::of(const model::CodePlace& place) {
  const auto [known, is_new] = texts_.try_emplace(place.file);
  if (is_new)
    if (const auto lines = sources_.lines_of(place.file))
      known->second.emplace(fmt::format("{}", fmt::join(*lines, "\n")));
  const auto& text = known->second;
  return std::max(text ? text->utf16_column(place.line, place.column) : place.column, 1U);
}

Json sarif_location(const model::CodePlace& place, Utf16Columns& columns,
                    const std::filesystem::path& root) {
  Json physical{{"artifactLocation", sarif_artifact(clean(place.file), root)}};
  if (place.line != 0)
    physical["region"] = {{"startLine", place.line}, {"startColumn", columns.of(place)}};
  return {{"physicalLocation", std::move(physical)}};
}

} // namespace gputest::report
