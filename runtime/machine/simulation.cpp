#include "runtime/machine/simulation.h"

#include "gputest/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace gputest::runtime {

model::Order order_named(const std::string& word, std::uint64_t seed, const std::string& option) {
  if (word == "ascending")
    return {};
  if (word == "descending")
    return {.kind = model::Order::Kind::Reverse};
  if (word == "random")
    return {.kind = model::Order::Kind::Random, .seed = seed};
  throw UsageError(
      fmt::format("--{}: '{}' is none of ascending, descending, random", option, word));
}

std::string text_of(const SimulatorFinding& finding) {
  return finding.line == 0 ? finding.message
                           : fmt::format("{}:{}:{}: error: {}", finding.file, finding.line,
                                         finding.column, finding.message);
}

std::string pair_of(const SimulatorFinding& finding) {
  const auto [first, second] = std::minmax(std::pair(finding.file, finding.line),
                                           std::pair(finding.other_file, finding.other_line));
  return fmt::format("{} {}:{} {}:{}", finding.kind, first.first, first.second, second.first,
                     second.second);
}

nlohmann::ordered_json to_json(const SimulatedProgram& simulated) {
  return {{"program", simulated.simulator.string()},
          {"checks", simulated.simulation.checks},
          {"groups", model::to_json(simulated.simulation.groups)},
          {"items", model::to_json(simulated.simulation.items)},
          {"limit", simulated.simulation.limit}};
}

SimulatedProgram simulated_program_from_json(const nlohmann::ordered_json& json) {
  SimulatedProgram simulated{json.at("program").get<std::string>(), {}};
  json.at("checks").get_to(simulated.simulation.checks);
  simulated.simulation.groups = model::order_from_json(json.at("groups"), 0);
  simulated.simulation.items = model::order_from_json(json.at("items"), 0);
  json.at("limit").get_to(simulated.simulation.limit);
  return simulated;
}

nlohmann::ordered_json to_json(const SimulatorFinding& finding) {
  nlohmann::ordered_json json{{"kind", finding.kind},
                              {"file", finding.file},
                              {"line", finding.line},
                              {"column", finding.column},
                              {"message", finding.message},
                              {"count", finding.count},
                              {"other_file", finding.other_file},
                              {"other_line", finding.other_line},
                              {"other_column", finding.other_column}};
  if (!finding.cause.empty())
    json["cause"] = finding.cause;
  if (finding.schedule)
    json["schedule"] = model::to_json(*finding.schedule);
  return json;
}

SimulatorFinding finding_from_json(const nlohmann::ordered_json& json) {
  SimulatorFinding finding;
  json.at("kind").get_to(finding.kind);
  json.at("file").get_to(finding.file);
  json.at("line").get_to(finding.line);
  json.at("column").get_to(finding.column);
  json.at("message").get_to(finding.message);
  json.at("count").get_to(finding.count);
  json.at("other_file").get_to(finding.other_file);
  json.at("other_line").get_to(finding.other_line);
  json.at("other_column").get_to(finding.other_column);
  finding.cause = json.value("cause", "");
  if (json.contains("schedule"))
    finding.schedule = model::schedule_from_json(json["schedule"]);
  return finding;
}

} // namespace gputest::runtime
