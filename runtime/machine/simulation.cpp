// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/simulation.h"

#include "gputest/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

void to_json(nlohmann::ordered_json& json, const SimulatedProgram& simulated) {
  json = {{"program", simulated.simulator.string()},
          {"checks", simulated.simulation.checks},
          {"groups", model::to_json(simulated.simulation.groups)},
          {"items", model::to_json(simulated.simulation.items)},
          {"limit", simulated.simulation.limit}};
}

void from_json(const nlohmann::ordered_json& json, SimulatedProgram& simulated) {
  json.at("program").get_to(simulated.simulator);
  json.at("checks").get_to(simulated.simulation.checks);
  simulated.simulation.groups = model::order_from_json(json.at("groups"), 0);
  simulated.simulation.items = model::order_from_json(json.at("items"), 0);
  json.at("limit").get_to(simulated.simulation.limit);
}

} // namespace gputest::runtime
