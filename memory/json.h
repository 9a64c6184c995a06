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
  std::vector<CaseReport> cases; // one at least

  // The case that loses the largest part of its cycles.
  const CaseReport& worst() const;
};

nlohmann::ordered_json to_json(const MemoryResult& result);

// What a case has of them there.
nlohmann::ordered_json interferences_json(const CaseReport& report);

} // namespace gputest::memory
