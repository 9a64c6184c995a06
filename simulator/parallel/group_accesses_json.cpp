// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/group_accesses.h"
#include "simulator/parallel/kind_from_json.h"

namespace gputest::simulator {

nlohmann::json to_json(const GroupAccesses& accesses) {
  using Json = nlohmann::json;
  Json terms = Json::array(), loops = Json::array(), comparisons = Json::array(),
       all = Json::array();
  for (const Term& term : accesses.terms)
    terms.push_back({static_cast<int>(term.kind), term.bits, term.value, term.left, term.right});
  const auto or_null = [](const std::optional<unsigned>& number) {
    return number ? Json(*number) : Json();
  };
  for (const GroupLoop& loop : accesses.loops) {
    const GroupCount count = loop.count.value_or(GroupCount{});
    loops.push_back({or_null(loop.repeats), loop.count.has_value(), count.start, count.step,
                     count.limit, count.or_equal, count.is_signed, count.down, loop.where});
  }
  for (const Comparison& each : accesses.comparisons)
    comparisons.push_back({each.left, each.right, each.or_equal, each.is_signed});
  for (const GroupAccess& access : accesses.accesses)
    all.push_back({access.object, or_null(access.offset), access.size, access.writes, access.update,
                   access.where});
  return {{"unknown", accesses.unknown},
          {"terms", terms},
          {"loops", loops},
          {"comparisons", comparisons},
          {"accesses", all}};
}

GroupAccesses group_accesses_from_json(const nlohmann::json& json) {
  GroupAccesses result{.unknown = json.at("unknown").get<std::string>()};
  const auto or_none = [](const nlohmann::json& number) {
    return number.is_null() ? std::nullopt : std::optional<unsigned>(number.get<unsigned>());
  };
  for (const auto& term : json.at("terms"))
    result.terms.push_back({kind_from_json(term.at(0), Term::Kind::Truncated),
                            term.at(1).get<unsigned>(), term.at(2).get<std::int64_t>(),
                            term.at(3).get<unsigned>(), term.at(4).get<unsigned>()});
  for (const auto& loop : json.at("loops")) {
    const GroupCount count{loop.at(2).get<unsigned>(), loop.at(3).get<unsigned>(),
                           loop.at(4).get<unsigned>(), loop.at(5).get<bool>(),
                           loop.at(6).get<bool>(),     loop.at(7).get<bool>()};
    result.loops.push_back({or_none(loop.at(0)),
                            loop.at(1).get<bool>() ? std::optional(count) : std::nullopt,
                            loop.at(8).get<std::vector<unsigned>>()});
  }
  for (const auto& each : json.at("comparisons"))
    result.comparisons.push_back({each.at(0).get<unsigned>(), each.at(1).get<unsigned>(),
                                  each.at(2).get<bool>(), each.at(3).get<bool>()});
  for (const auto& access : json.at("accesses"))
    result.accesses.push_back({access.at(0).get<int>(), or_none(access.at(1)),
                               access.at(2).get<std::uint64_t>(), access.at(3).get<bool>(),
                               access.at(4).get<unsigned>(),
                               access.at(5).get<std::vector<unsigned>>()});
  return result;
}

} // namespace gputest::simulator
