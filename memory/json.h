// memory.json: docs/formats.md.
#pragma once

#include "memory/analysis.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gputest::memory {

struct MemoryResult {
  std::string kernel, source; // source: the file
  std::string gpu;
  WarpChoice choice;
  std::vector<CaseReport> cases; // one at least

  // The case that loses the largest part of its cycles.
  const CaseReport& worst() const;
};

nlohmann::ordered_json to_json(const MemoryResult& result);

} // namespace gputest::memory
