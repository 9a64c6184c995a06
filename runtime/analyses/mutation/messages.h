// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker of mutation testing sends about itself, about a case of the original and about an
// item.
#pragma once

#include "model/json.h"
#include "model/mutation/guilty.h"
#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/trial.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

template <> struct nlohmann::adl_serializer<gputest::model::SiteRange> {
  static void to_json(ordered_json& json, const gputest::model::SiteRange& range) {
    json = {{"first", range.first}, {"last", range.last}};
  }
  static void from_json(const ordered_json& json, gputest::model::SiteRange& range) {
    json.at("first").get_to(range.first);
    json.at("last").get_to(range.last);
  }
};

namespace gputest::runtime::messages {

using model::field, model::from_json, model::to_json;

// The device, when mutants.cl is built.
struct Device {
  std::string device{};
  bool optimised = false;
  double build_seconds = 0;
  std::optional<std::string> rejected{};  // the compiler's log, where it rejects mutants.cl
  std::vector<model::SiteRange> pieces{}; // that it accepts then
};
constexpr auto fields_of(const Device*) {
  using T = Device;
  return std::tuple{field("device", &T::device), field("optimised", &T::optimised),
                    field("build_seconds", &T::build_seconds), field("rejected", &T::rejected),
                    field("pieces", &T::pieces)};
}

struct Build {
  std::optional<model::SiteRange> sites{}; // nullopt: original.cl
  bool quick = false;                      // without optimisation
};
constexpr auto fields_of(const Build*) {
  return std::tuple{field("sites", &Build::sites), field("quick", &Build::quick)};
}

// A mutant with a case, or its program's build.
struct Trial {
  std::string program{};
  store::Outcome outcome{}; // as far as it is known
};
constexpr auto fields_of_outcome() {
  using T = store::Outcome;
  return std::tuple{field("mutant", &T::mutant), field("case", &T::test_case),
                    field("order", &T::order), field("verdict", &T::verdict)};
}
inline void to_json(model::Json& json, const Trial& trial) {
  json["program"] = trial.program;
  write_fields(json, trial.outcome, fields_of_outcome());
}
inline void from_json(const model::Json& json, Trial& trial) {
  trial.program = model::required<std::string>(json, "program");
  read_fields(json, trial.outcome, fields_of_outcome());
}

// What begins, which may end the worker: one of the two, or a case of the original.
struct Start {
  std::optional<Build> build{};
  std::optional<Trial> trial{};
};
constexpr auto fields_of(const Start*) {
  return std::tuple{field("build", &Start::build), field("trial", &Start::trial)};
}

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
                    field("guilty", &T::guilty),
                    field("finding", &T::finding),
                    field("deterministic", &T::deterministic),
                    field("reached", &T::reached),
                    field("harm", &T::harm),
                    field("first_seconds", &T::first_seconds)};
}

// What the simulator's checks need to know of a survivor.
struct Survivor {
  std::string program{};            // the key of the program that it survived in
  std::vector<std::size_t> cases{}; // indices of those that reach it
};
constexpr auto fields_of(const Survivor*) {
  return std::tuple{field("program", &Survivor::program), field("cases", &Survivor::cases)};
}

// A survivor that begins in the simulator.
struct SurvivorStart {
  std::string mutant{};                // the id
  std::vector<std::string> together{}; // ids of those whose common program is built first
};
constexpr auto fields_of(const SurvivorStart*) {
  return std::tuple{field("mutant", &SurvivorStart::mutant),
                    field("together", &SurvivorStart::together)};
}

// `seconds` may be those of an earlier command.
struct ItemResult : TrialResult {
  double wall = 0; // seconds for this item now, including building its own program
  bool executed = false;
  std::optional<Survivor> survivor{}; // the verdict is the device's, and a check decides
  // Why the check that would decide about this survivor did not run; empty: it ran, or none would.
  std::string unchecked{};
};
constexpr auto fields_of(const ItemResult*) {
  using T = ItemResult;
  return std::tuple{field("verdict", &T::verdict),    field("reason", &T::reason),
                    field("detail", &T::detail),      field("killed_by", &T::killed_by),
                    field("runs", &T::runs),          field("order", &T::order),
                    field("seconds", &T::seconds),    field("wall", &T::wall),
                    field("executed", &T::executed),  field("survivor", &T::survivor),
                    field("unchecked", &T::unchecked)};
}

} // namespace gputest::runtime::messages
