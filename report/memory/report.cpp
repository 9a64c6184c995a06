#include "report/memory/report.h"

#include "model/json.h"
#include "report/common/inputs.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

using Values = nlohmann::ordered_json;
using model::required;

std::string text_or_nothing(const Values& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? "" : required<std::string>(json, key);
}

MemoryPlace place_of(const Values& json) {
  return {.file = required<std::string>(json, "file"),
          .variable = required<std::string>(json, "variable"),
          .line = required<unsigned>(json, "line"),
          .column = required<unsigned>(json, "column")};
}

MemoryReference reference_of(const Values& json) {
  const auto number = [&](const char* key) { return required<std::uint64_t>(json, key); };
  return {.place = place_of(json),
          .access = required<std::string>(json, "access"),
          .executions = number("executions"),
          .transactions = number("transactions"),
          .fewest = number("fewest"),
          .hits = number("hits"),
          .misses = number("misses"),
          .waiting = number("waiting"),
          .lost = number("lost")};
}

MemoryWarning warning_of(const Values& json) {
  MemoryWarning warning{.place = place_of(json),
                        .kind = required<std::string>(json, "kind"),
                        .message = required<std::string>(json, "message"),
                        .because = required<std::string>(json, "because")};
  for (const Values& one : required<Values>(json, "what_if"))
    warning.what_ifs.push_back(fmt::format("{}: {:+.1f} % cycles",
                                           required<std::string>(one, "text"),
                                           -required<double>(one, "gain_percent")));
  return warning;
}

MemoryTimeline timeline_of(const Values& json) {
  MemoryTimeline timeline{.cycles_per_step = required<std::uint64_t>(json, "cycles_per_step")};
  for (const Values& warp : required<Values>(json, "warps"))
    timeline.warps.push_back({.core = required<unsigned>(warp, "core"),
                              .warp = required<unsigned>(warp, "warp"),
                              .steps = required<std::string>(warp, "steps")});
  return timeline;
}

MemorySets sets_of(const Values& json) {
  return {.sets_of_row = required<std::uint64_t>(json, "sets_of_row"),
          .most = required<std::uint64_t>(json, "most"),
          .rows = required<std::vector<std::string>>(json, "rows")};
}

MemoryCurve curve_of(const Values& json) {
  MemoryCurve curve{.strategy = required<std::string>(json, "strategy")};
  for (const Values& one : required<Values>(json, "progress"))
    curve.progress.push_back({.seconds = required<double>(one, "seconds"),
                              .executions = required<std::uint64_t>(one, "executions"),
                              .issues = required<std::uint64_t>(one, "issues")});
  return curve;
}

MemoryCase case_of(const Values& json) {
  MemoryCase one{.name = required<std::string>(json, "name"),
                 .schedule = required<std::string>(json, "schedule"),
                 .condition = text_or_nothing(json, "condition"),
                 .replay = text_or_nothing(json, "replay"),
                 .cycles = required<std::uint64_t>(json, "cycles"),
                 .overhead = required<std::uint64_t>(json, "overhead"),
                 .instructions = required<std::uint64_t>(json, "instructions")};
  for (const Values& reference : required<Values>(json, "references"))
    one.references.push_back(reference_of(reference));
  for (const Values& warning : required<Values>(json, "warnings"))
    one.warnings.push_back(warning_of(warning));
  if (json.contains("timeline"))
    one.timeline = timeline_of(json["timeline"]);
  if (json.contains("cache_sets"))
    one.sets = sets_of(json["cache_sets"]);
  return one;
}

MemoryKernel kernel_of(const Values& json) {
  model::expect_format(json, "gputest-memory-1");
  const Values coverage = required<Values>(json, "coverage");
  MemoryKernel kernel{.kernel = required<std::string>(json, "kernel"),
                      .source = required<std::string>(json, "source"),
                      .gpu = required<std::string>(json, "gpu"),
                      .strategy = text_or_nothing(json, "strategy"),
                      .explored = required<std::uint64_t>(coverage, "explored"),
                      .total = required<std::uint64_t>(coverage, "total")};
  for (const Values& one : required<Values>(json, "cases"))
    kernel.cases.push_back(case_of(one));
  if (json.contains("generation")) {
    const Values& generation = json["generation"];
    kernel.curves.push_back(curve_of(generation));
    if (generation.contains("compared"))
      for (const Values& one : required<Values>(generation, "compared"))
        kernel.curves.push_back(curve_of(one));
  }
  std::ranges::stable_sort(kernel.cases, std::greater{}, &MemoryCase::overhead_percent);
  return kernel;
}

} // namespace

MemoryReport read_memory_report(const std::vector<fs::path>& files, std::string title) {
  MemoryReport report;
  for (const fs::path& file : files) {
    try {
      report.kernels.push_back(model::read_json_file(file, kernel_of));
      report.kernels.back().folder = file.parent_path();
    } catch (const model::FormatError& error) {
      throw InputError(error.what());
    }
  }
  std::ranges::stable_sort(report.kernels, {}, &MemoryKernel::kernel);
  report.title = !title.empty() ? std::move(title)
                 : report.kernels.size() == 1
                     ? fmt::format("Memory performance of {}", report.kernels.front().kernel)
                     : fmt::format("Memory performance of {} kernels", report.kernels.size());
  return report;
}

std::string memory_terminal(const MemoryReport& report) {
  std::string text;
  for (const MemoryKernel& kernel : report.kernels) {
    for (const MemoryCase& one : kernel.cases)
      for (const MemoryWarning& warning : one.warnings) {
        text += fmt::format("{}:{}:{}: warning: memory: {} (case '{}')\n  because: {}\n",
                            clean(warning.place.file), warning.place.line, warning.place.column,
                            clean(warning.message), clean(one.name), clean(warning.because));
        for (const std::string& what : warning.what_ifs)
          text += fmt::format("  what if: {}\n", clean(what));
      }
    for (const MemoryCase& one : kernel.cases)
      text += fmt::format("{} on {}, case '{}', {}: {} cycles, {:.1f} % lost because warps disturb "
                          "each other\n",
                          clean(kernel.kernel), clean(kernel.gpu), clean(one.name),
                          clean(one.schedule), one.cycles, one.overhead_percent());
    text += fmt::format("{} of {} references that may wait for memory were run\n", kernel.explored,
                        kernel.total);
  }
  return text;
}

} // namespace gputest::report
