// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes SARIF's places. Their columns count UTF-16 units, where ours count bytes.
#pragma once

#include "model/checks/finding.h"
#include "model/mutation/places.h"
#include "report/common/sarif_log.h"
#include "report/common/source.h"

#include <map>
#include <optional>
#include <string>

namespace gputest::report {

class Utf16Columns {
public:
  explicit Utf16Columns(const SourceTree& sources) : sources_(sources) {}
  // Returns the column of the place, at least 1. Where its source is not found, that is the byte
  // column.
  unsigned of(const model::CodePlace& place);

private:
  const SourceTree& sources_;
  std::map<std::string, std::optional<model::SourceText>> texts_;
};

// Returns a location. It has no region if the line is unknown.
Json sarif_location(const model::CodePlace& place, Utf16Columns& columns,
                    const std::filesystem::path& root);

} // namespace gputest::report
