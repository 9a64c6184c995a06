#include "memory/generate/result.h"

#include "memory/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gputest::memory {
namespace {

using Json = nlohmann::ordered_json;

Json progress_json(const Generated& found) {
  Json json = Json::array();
  for (const Progress& one : found.progress)
    json.push_back({{"seconds", one.seconds},
                    {"executions", one.executions},
                    {"issues", one.issues},
                    {"overhead_percent", one.overhead_percent}});
  return json;
}

Json generation_json(const Generation& generation) {
  const Generated& found = generation.found;
  Json json{{"strategy", name_of(generation.settings.strategy)},
            {"seed", generation.settings.seed},
            {"budget", generation.settings.seconds},
            {"seconds", found.seconds},
            {"executions", found.executions},
            {"states", found.states},
            {"solved", found.solved},
            {"faulty", found.faulty},
            {"note", found.note.empty() ? Json(nullptr) : Json(found.note)},
            {"progress", progress_json(found)},
            {"compared", Json::array()}};
  for (const auto& [strategy, other] : generation.compared)
    json["compared"].push_back(
        {{"strategy", name_of(strategy)}, {"progress", progress_json(other)}});
  return json;
}

} // namespace

ReferenceCoverage coverage_of(const MemoryResult& result) {
  return coverage_of(result.cases,
                     result.generation ? result.generation->found.run : std::vector<bool>());
}

const CaseReport& MemoryResult::worst() const {
  return *std::ranges::max_element(cases, {}, &CaseReport::overhead_percent);
}

Json to_json(const MemoryResult& result) {
  const ReferenceCoverage coverage = coverage_of(result);
  Json json{{"format", "gputest-memory-1"},
            {"kernel", result.kernel},
            {"source", result.source},
            {"gpu", result.gpu},
            {"strategy", result.generation ? Json(name_of(result.generation->settings.strategy))
                                           : Json(nullptr)},
            {"schedule", name_of(result.worst().choice.kind)},
            {"seed", result.worst().choice.seed},
            {"cycles", result.worst().count.cycles},
            {"overhead_percent", result.worst().overhead_percent()},
            {"coverage", {{"explored", coverage.explored}, {"total", coverage.total}}},
            {"missed", result.missed},
            {"cases", Json::array()}};
  for (const CaseReport& report : result.cases)
    json["cases"].push_back(case_json(report));
  if (result.generation)
    json["generation"] = generation_json(*result.generation);
  if (!result.content.empty()) { // for the run of the whole
    json["content"] = result.content;
    if (result.generation)
      json["generation"]["run"] = result.generation->found.run;
  }
  return json;
}

} // namespace gputest::memory
