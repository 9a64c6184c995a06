// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/results.h"

#include "model/files.h"
#include "model/json.h"
#include "model/names.h"

#include <array>

namespace gputest::model {
namespace {

constexpr const char* kFormat = "gputest-check-2";

constexpr auto fields_of_cases() {
  using T = CheckedFinding;
  return std::tuple{field("cases", &T::cases), field<Presence::IfNotPlain>("launch", &T::launch),
                    field<Presence::IfNotPlain>("replay", &T::replay)};
}

} // namespace

static void to_json(Json& json, const CheckedFinding& found) {
  json = found.finding;
  write_fields(json, found, fields_of_cases());
}
static void from_json(const Json& json, CheckedFinding& found) {
  found.finding = json.get<Finding>();
  read_fields(json, found, fields_of_cases());
  if (found.cases.empty())
    throw FormatError("key 'cases' of a finding names no case");
}
static constexpr auto fields_of(const SuppressedBy*) {
  using T = SuppressedBy;
  return std::tuple{field("place", &T::place), field("in_code", &T::in_code),
                    field("reason", &T::reason)};
}
static void to_json(Json& json, const SuppressedFinding& one) {
  to_json(json, one.found);
  json["suppressed_by"] = one.by;
}
static void from_json(const Json& json, SuppressedFinding& one) {
  from_json(json, one.found);
  one.by = required<SuppressedBy>(json, "suppressed_by");
}
static constexpr auto fields_of(const CheckedCase*) {
  using T = CheckedCase;
  return std::tuple{field("name", &T::name),
                    field("verdict", &T::verdict),
                    field("message", &T::message),
                    field("seconds", &T::seconds),
                    field<Presence::IfNotPlain>("launches", &T::launches),
                    field("findings", &T::findings)};
}
static constexpr auto fields_of(const CheckResults*) {
  using T = CheckResults;
  return std::tuple{field("name", &T::name),
                    field("kernel", &T::kernel),
                    field("device", &T::device),
                    field("source", &T::source),
                    field("checks", &T::checks),
                    field("cases", &T::cases),
                    field("findings", &T::findings),
                    field<Presence::IfNotPlain>("suppressed", &T::suppressed),
                    field<Presence::IfNotPlain>("suppressions", &T::suppressions)};
}

Json to_json(const CheckResults& results) {
  Json json{{"format", kFormat}};
  write_fields(json, results, fields_of(&results));
  return json;
}

CheckResults check_results_from_json(const Json& json) {
  expect_format(json, kFormat);
  return json.get<CheckResults>();
}

CheckResults read_check_results(const std::filesystem::path& file) {
  return read_json_file(file, check_results_from_json);
}

void write_check_results(const CheckResults& results, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(results)));
}

} // namespace gputest::model
