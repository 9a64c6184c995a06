// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker of mutation testing sends about a case of the original and about an item.
#pragma once

#include "model/json.h"
#include "model/mutation/guilty.h"
#include "runtime/analyses/mutation/trial.h"

#include <string>
#include <tuple>

namespace gputest::runtime::messages {

using model::field, model::from_json, model::to_json;

// A case of the original, without a mutant and with mutants.cl.
struct OriginalCase {
  std::string problem{}; // empty: the original passes
  std::string wrong{};   // what mutants.cl computes and the original does not; empty: nothing
  model::Guilty guilty = model::Guilty::Unknown; // where something is wrong
  std::string finding{};
  bool deterministic = true;
  std::string reached{}, harm{}; // to_hex() of the bits
  double first_seconds = 0;
};
constexpr auto fields_of(const OriginalCase*) {
  using T = OriginalCase;
  return std::tuple{field("problem", &T::problem),
                    field("wrong", &T::wrong),
                    field("guilty", &T::guilty, model::guilty_named),
                    field("finding", &T::finding),
                    field("deterministic", &T::deterministic),
                    field("reached", &T::reached),
                    field("harm", &T::harm),
                    field("first_seconds", &T::first_seconds)};
}

// `seconds` may be those of an earlier command.
struct ItemResult : TrialResult {
  double wall = 0; // seconds for this item now, including building its own program
  bool executed = false;
};
constexpr auto fields_of(const ItemResult*) {
  using T = ItemResult;
  return std::tuple{field("verdict", &T::verdict, model::verdict_named),
                    field("reason", &T::reason, model::kill_reason_named),
                    field("detail", &T::detail),
                    field("killed_by", &T::killed_by),
                    field("runs", &T::runs),
                    field("order", &T::order),
                    field("seconds", &T::seconds),
                    field("wall", &T::wall),
                    field("executed", &T::executed)};
}

} // namespace gputest::runtime::messages
