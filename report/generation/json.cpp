// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/files.h"
#include "report/generation/html.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace gputest::report {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const std::vector<GenerationGoal>& goals) {
  constexpr std::array states{"reached", "impossible", "open", "blocked"}; // by GoalState
  Json list = Json::array();
  for (const GenerationGoal& goal : goals) {
    Json& json = list.emplace_back(Json{{"line", goal.line},
                                        {"column", goal.column},
                                        {"what", goal.what},
                                        {"state", states[static_cast<std::size_t>(goal.state)]},
                                        {"answer", goal.answer}});
    if (!goal.id.empty())
      json["id"] = goal.id;
  }
  return list;
}

} // namespace

std::string generation_json(const std::vector<GenerationResult>& results) {
  Json json{{"format", "gputest-generation-report-1"}, {"kernels", Json::array()}};
  for (const GenerationResult& result : results) {
    Json busy = Json::object();
    for (const auto& [stage, seconds] : result.busy)
      busy[stage] = std::round(1e6 * seconds) / 1e6;
    Json cases = Json::array();
    for (const GenerationCase& one : result.cases)
      cases.push_back({{"file", one.file},
                       {"outcomes", one.outcomes},
                       {"kills", one.kills},
                       {"remarks", one.remarks}});
    json["kernels"].push_back({{"format", "gputest-generation-1"},
                               {"kernel", result.kernel},
                               {"source", result.source},
                               {"outcomes", to_json(result.outcomes)},
                               {"mutants", to_json(result.mutants)},
                               {"cases", std::move(cases)},
                               {"findings", result.findings},
                               {"cost", result.cost},
                               {"busy", std::move(busy)}});
  }
  return model::pretty(json, 4);
}

} // namespace gputest::report
