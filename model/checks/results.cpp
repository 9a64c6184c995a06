#include "model/checks/results.h"

#include "model/files.h"
#include "model/json.h"

namespace gputest::model {
namespace {

constexpr const char* kFormat = "gputest-check-2";

Json to_json(const CheckedFinding& found) {
  Json json = model::to_json(found.finding);
  json["cases"] = found.cases;
  if (found.launch != 0)
    json["launch"] = found.launch;
  if (!found.replay.empty())
    json["replay"] = found.replay;
  return json;
}

CheckedFinding checked_finding_from_json(const Json& json) {
  CheckedFinding found{.finding = finding_from_json(json),
                       .cases = required<std::vector<std::string>>(json, "cases")};
  if (found.cases.empty())
    throw FormatError("key 'cases' of a finding names no case");
  found.launch = optional<std::uint64_t>(json, "launch").value_or(0);
  found.replay = optional<std::string>(json, "replay").value_or("");
  return found;
}

Json to_json(const CheckedCase& checked) {
  Json json{{"name", checked.name},
            {"verdict", checked.verdict},
            {"message", checked.message},
            {"seconds", checked.seconds}};
  if (checked.launches != 0)
    json["launches"] = checked.launches;
  json["findings"] = checked.findings;
  return json;
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

Json to_json(const CheckResults& results) {
  Json json{{"format", kFormat},        {"name", results.name},     {"kernel", results.kernel},
            {"device", results.device}, {"source", results.source}, {"checks", results.checks},
            {"cases", Json::array()},   {"findings", Json::array()}};
  for (const CheckedCase& checked : results.cases)
    json["cases"].push_back(to_json(checked));
  for (const CheckedFinding& found : results.findings)
    json["findings"].push_back(to_json(found));
  return json;
}

CheckResults check_results_from_json(const Json& json) {
  expect_format(json, kFormat);
  CheckResults results{.name = required<std::string>(json, "name"),
                       .kernel = required<std::string>(json, "kernel"),
                       .device = required<std::string>(json, "device"),
                       .source = required<std::string>(json, "source"),
                       .checks = required<std::vector<std::string>>(json, "checks"),
                       .cases = {},
                       .findings = {}};
  for (const Json& checked : required_array(json, "cases"))
    results.cases.push_back(checked_case_from_json(checked));
  for (const Json& found : required_array(json, "findings"))
    results.findings.push_back(checked_finding_from_json(found));
  return results;
}

CheckResults read_check_results(const std::filesystem::path& file) {
  return read_json_file(file, check_results_from_json);
}

void write_check_results(const CheckResults& results, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(results)));
}

} // namespace gputest::model
