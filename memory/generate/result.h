// memory.json: docs/formats.md.
#pragma once

#include "memory/analysis.h"
#include "memory/generate/generate.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::memory {

struct Generation {
  GenerateSettings settings;
  Generated found;
  std::vector<std::pair<Strategy, Generated>> compared{}; // others, with the same budget and seed
};

struct MemoryResult {
  std::optional<Generation> generation{}; // if there was any
  std::string kernel, source;             // source: the file
  std::string gpu;
  std::vector<CaseReport> cases;     // one at least
  std::vector<std::string> missed{}; // limits that do not hold, for people
  std::string content{};             // of a shard: what it belongs to

  // The case that loses the largest part of its cycles.
  const CaseReport& worst() const;
};

// Explored in some case, or in a test of the generation.
ReferenceCoverage coverage_of(const MemoryResult& result);

nlohmann::ordered_json to_json(const MemoryResult& result);

} // namespace gputest::memory
