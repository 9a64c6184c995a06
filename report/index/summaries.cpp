// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/summaries.h"

#include "model/json.h"
#include "report/common/text.h"

#include <fmt/format.h>

namespace gputest::report {

using Json = nlohmann::ordered_json;

namespace {

template <typename Read>
std::vector<Summary> read(const std::filesystem::path& file, Read summarize) {
  return model::read_json_file(
      file, [&](const Json& json) { return std::vector<Summary>{summarize(json)}; });
}

Summary about(const Json& json) {
  return {.name = model::optional<std::string>(json, "name").value_or(""),
          .kernel = model::required<std::string>(json, "kernel"),
          .source = model::optional<std::string>(json, "source").value_or(""),
          .device = model::optional<std::string>(json, "device").value_or("")};
}

Summary of_tests(const Json& json) {
  model::expect_format(json, "gputest-test-1");
  Summary summary = about(json);
  std::size_t passed = 0;
  const Json& cases = model::required_array(json, "cases");
  for (const Json& one : cases) {
    const auto name = model::required<std::string>(one, "name");
    const auto verdict = model::required<model::CaseVerdict>(one, "verdict");
    const std::string oracle = model::optional<std::string>(one, "oracle").value_or("");
    if (verdict == model::CaseVerdict::Passed)
      ++passed;
    else
      summary.failures.push_back(
          case_text(name, model::name_of(verdict), model::required<std::string>(one, "message")));
    if (oracle == "none")
      summary.unverified.push_back(
          fmt::format("case '{}': nothing says what the outputs should be", name));
    else if (!oracle.empty())
      summary.unverified.push_back(
          fmt::format("case '{}': expected outputs are {}, not verified", name, oracle));
    if (const auto weak = model::optional<std::string>(one, "weak"))
      summary.weak.push_back(fmt::format("case '{}': {}", name, *weak));
  }
  tell_cases(summary, passed, cases.size(), "passed");
  if (!summary.unverified.empty() && summary.level == Level::Full)
    summary.level = Level::Fair;
  return summary;
}

Summary of_fuzzing(const Json& json) {
  model::expect_format(json, "gputest-fuzz-1");
  Summary summary = about(json);
  const Json& findings = model::required_array(json, "findings");
  for (const Json& finding : findings) {
    const auto message = model::required<std::string>(finding, "message");
    summary.failures.push_back(message);
    summary.open.push_back(
        {model::required<std::string>(finding, "kind") + " " + summary.kernel, message});
  }
  summary.value = findings.empty() ? "none" : std::to_string(findings.size());
  summary.detail = fmt::format("{} in {}", findings.size() == 1 ? "failure" : "failures",
                               plural(model::required<std::uint64_t>(json, "inputs"), "input"));
  summary.level = findings.empty() ? Level::Full : Level::Poor;
  return summary;
}

// Lost cycles are no failure by themselves, because a kernel may need them. Missed limits are
// failures.
Summary of_memory(const Json& json) {
  Summary summary = about(json);
  if (const auto overhead = model::optional<double>(json, "overhead_percent")) {
    summary.value = fmt::format("{:.0f} %", *overhead);
    summary.detail = "of cycles lost to interference";
    summary.level = *overhead < 5 ? Level::Full : *overhead < 25 ? Level::Fair : Level::Poor;
  }
  if (const auto missed = json.find("missed"); missed != json.end() && missed->is_array())
    for (const Json& limit : *missed)
      if (limit.is_string()) {
        summary.failures.push_back(limit.get<std::string>());
        summary.level = Level::Poor;
      }
  return summary;
}

Summary of_generation(const Json& json) {
  model::expect_format(json, "gputest-generation-1");
  Summary summary = about(json);
  std::size_t reached = 0, open = 0;
  for (const char* goals : {"outcomes", "mutants"})
    for (const Json& goal : model::required_array(json, goals)) {
      const auto state = model::required<std::string>(goal, "state");
      reached += state == "reached" ? 1 : 0;
      open += state == "open" ? 1 : 0;
    }
  const std::size_t all = reached + open;
  summary.value = fmt::format("{}/{}", reached, all);
  summary.detail = fmt::format("reached; {} written",
                               plural(model::required_array(json, "cases").size(), "case"));
  if (all > 0)
    summary.percent = 100.0 * static_cast<double>(reached) / static_cast<double>(all);
  summary.level = level_of(summary.percent);
  return summary;
}

} // namespace

std::vector<Summary> test_summary(const std::filesystem::path& file) {
  return read(file, of_tests);
}

std::vector<Summary> fuzz_summary(const std::filesystem::path& file) {
  return read(file, of_fuzzing);
}

std::vector<Summary> memory_summary(const std::filesystem::path& file) {
  return read(file, of_memory);
}

std::vector<Summary> generation_summary(const std::filesystem::path& file) {
  return model::read_json_file(file, [](const Json& json) {
    model::expect_format(json, "gputest-generation-report-1");
    std::vector<Summary> all;
    for (const Json& kernel : model::required_array(json, "kernels"))
      all.push_back(of_generation(kernel));
    return all;
  });
}

} // namespace gputest::report
