#include "model/checks/results.h"

#include "model/files.h"
#include "model/json.h"

namespace gputest::model {
namespace {

constexpr const char* kFormat = "gputest-check-2";

CheckedFinding checked_finding_from_json(const Json& json) {
  CheckedFinding found{.finding = finding_from_json(json),
                       .cases = required<std::vector<std::string>>(json, "cases")};
  if (found.cases.empty())
    throw FormatError("key 'cases' of a finding names no case");
  found.launch = optional<std::uint64_t>(json, "launch").value_or(0);
  found.replay = optional<std::string>(json, "replay").value_or("");
  return found;
}

CheckedCase checked_case_from_json(const Json& json) {
  return {.name = required<std::string>(json, "name"),
          .verdict = required<std::string>(json, "verdict"),
          .message = required<std::string>(json, "message"),
          .seconds = required<double>(json, "seconds"),
          .launches = optional<std::uint64_t>(json, "launches").value_or(0),
          .findings = required<std::uint64_t>(json, "findings")};
}

} // namespace

// Not in the unnamed namespace, where list_of() would not find them.
static Json to_json(const CheckedFinding& found) {
  Json json = model::to_json(found.finding);
  json["cases"] = found.cases;
  if (found.launch != 0)
    json["launch"] = found.launch;
  if (!found.replay.empty())
    json["replay"] = found.replay;
  return json;
}

static Json to_json(const CheckedCase& checked) {
  Json json{{"name", checked.name},
            {"verdict", checked.verdict},
            {"message", checked.message},
            {"seconds", checked.seconds}};
  if (checked.launches != 0)
    json["launches"] = checked.launches;
  json["findings"] = checked.findings;
  return json;
}

Json to_json(const CheckResults& results) {
  return {{"format", kFormat},
          {"name", results.name},
          {"kernel", results.kernel},
          {"device", results.device},
          {"source", results.source},
          {"checks", results.checks},
          {"cases", list_of(results.cases)},
          {"findings", list_of(results.findings)}};
}

CheckResults check_results_from_json(const Json& json) {
  expect_format(json, kFormat);
  return {.name = required<std::string>(json, "name"),
          .kernel = required<std::string>(json, "kernel"),
          .device = required<std::string>(json, "device"),
          .source = required<std::string>(json, "source"),
          .checks = required<std::vector<std::string>>(json, "checks"),
          .cases = required_list(json, "cases", checked_case_from_json),
          .findings = required_list(json, "findings", checked_finding_from_json)};
}

CheckResults read_check_results(const std::filesystem::path& file) {
  return read_json_file(file, check_results_from_json);
}

void write_check_results(const CheckResults& results, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(results)));
}

} // namespace gputest::model
