// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/memory/report.h"

#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace gputest::report {
namespace fs = std::filesystem;

std::vector<model::MemoryCurve> MemoryKernel::curves() const {
  if (!results.generation)
    return {};
  std::vector<model::MemoryCurve> curves{*results.generation};
  curves.insert(curves.end(), results.generation->compared.begin(),
                results.generation->compared.end());
  return curves;
}

std::string MemoryKernel::label() const {
  const std::string name = folder.filename().string();
  return name.empty() || name == results.kernel ? results.kernel
                                                : fmt::format("{} ({})", results.kernel, name);
}

MemoryReport read_memory_report(const std::vector<fs::path>& files, std::string title) {
  MemoryReport report;
  for (const fs::path& file : files) {
    report.kernels.push_back({model::read_memory_results(file), file.parent_path()});
    std::ranges::stable_sort(report.kernels.back().results.cases, std::greater{},
                             &model::MemoryCase::overhead_percent);
  }
  std::ranges::stable_sort(report.kernels, {},
                           [](const MemoryKernel& one) { return one.results.kernel; });
  report.title = !title.empty() ? std::move(title)
                 : report.kernels.size() == 1
                     ? fmt::format("Memory performance of {}", report.kernels.front().label())
                     : fmt::format("Memory performance of {} kernels", report.kernels.size());
  return report;
}

std::string text_of(const model::MemoryWarning::Remedy& remedy) {
  return fmt::format("{}: {:+.1f} % cycles", remedy.text, -remedy.gain_percent);
}

std::string text_of(const model::MemoryPatch& patch) {
  return fmt::format(
      "patch: {}: {:+.1f} % cycles, {} instead of {}; the same results in {}{}", patch.text,
      -patch.gain_percent, patch.cycles, patch.cycles_before, plural(patch.cases, "case"),
      patch.swaps_launch ? "; launches must swap their first two global sizes, local "
                           "sizes and offsets"
                         : "");
}

std::string memory_terminal(const MemoryReport& report) {
  std::string text;
  for (const MemoryKernel& kernel : report.kernels) {
    for (const model::MemoryCase& one : kernel.results.cases)
      for (const model::MemoryWarning& warning : one.warnings) {
        text += fmt::format("{}:{}:{}: warning: memory: {} (case '{}')\n  because: {}\n",
                            clean(warning.file), warning.line, warning.column,
                            clean(warning.message), clean(one.name), clean(warning.because));
        for (const model::MemoryWarning::Remedy& what : warning.what_ifs)
          text += fmt::format("  what if: {}\n", clean(text_of(what)));
      }
    for (const model::MemoryCase& one : kernel.results.cases)
      text += fmt::format("{} on {}, case '{}', {}: {} cycles, {:.1f} % lost because warps disturb "
                          "each other\n",
                          clean(kernel.results.kernel), clean(kernel.results.gpu), clean(one.name),
                          clean(one.schedule), one.cycles, one.overhead_percent());
    for (const model::MemoryCase& one : kernel.results.cases)
      for (const model::MemoryWarning::Remedy& what : one.hints)
        text += fmt::format("what if: {} (case '{}')\n", clean(text_of(what)), clean(one.name));
    for (const model::MemoryPatch& patch : kernel.results.patches)
      text += fmt::format("{}\n{}\n", clean(text_of(patch)), clean_lines(patch.diff));
    text += fmt::format("{} of {} references that may wait for memory were run\n",
                        kernel.results.coverage.explored, kernel.results.coverage.total);
  }
  return text;
}

} // namespace gputest::report
