// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_places.h"
#include "report/common/text.h"
#include "report/memory/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace gputest::report {
namespace {

struct MemoryRule {
  std::string_view id, summary;
};

constexpr std::array kMemoryRules{
    MemoryRule{"transactions", "Accesses of neighbouring work-items are not coalesced"},
    MemoryRule{"bank-conflicts", "Accesses conflict in the banks of local memory"},
    MemoryRule{"interference", "Warps evict each other's lines from the cache"},
    MemoryRule{"reloads", "A warp evicts its own lines from the cache"},
    MemoryRule{"busy-banks", "Warps wait for banks of DRAM that are busy for others"},
    MemoryRule{"constants", "Work-items of a warp want several addresses of constant memory"},
    MemoryRule{"spilled", "A private array is in memory, not in registers"}};

} // namespace

std::string memory_sarif(const MemoryReport& report, const SourceTree& sources) {
  SarifPlaces places(sources);
  SarifRun run{.kind = "memory"};
  for (const MemoryRule& rule : kMemoryRules)
    run.rules.push_back(sarif_rule({.id = std::string(rule.id),
                                    .summary = std::string(rule.summary),
                                    .more = "The model of the GPU loses many cycles there.",
                                    .level = "warning",
                                    .page = "memory"}));
  for (const MemoryKernel& kernel : report.kernels) {
    std::set<std::string> known; // the worst case's, where several cases have it
    for (const model::MemoryCase& one : kernel.results.cases)
      for (const model::MemoryWarning& warning : one.warnings) {
        const std::string mark = fmt::format("{}/{}/{}:{}:{}", kernel.results.kernel, warning.kind,
                                             warning.file, warning.line, warning.column);
        if (!known.insert(mark).second)
          continue;
        const auto rule = std::ranges::find(kMemoryRules, warning.kind, &MemoryRule::id);
        std::string message =
            fmt::format("kernel '{}', case '{}' on {}: {}; because: {}", kernel.results.kernel,
                        one.name, kernel.results.gpu, warning.message, warning.because);
        for (const model::MemoryWarning::Remedy& what : warning.what_ifs)
          message += "; what if: " + text_of(what);
        const model::CodePlace place{warning.file, warning.line, warning.column};
        run.results.push_back(
            places.result({.rule = warning.kind,
                           .index = static_cast<std::size_t>(rule - kMemoryRules.begin()),
                           .level = "warning",
                           .message = message,
                           .place = place,
                           .fingerprints = "gputestMemory/v2",
                           .mark = fmt::format("{}/{}/{}:{}", kernel.label(), warning.kind,
                                               warning.file, places.line_text(place))}));
      }
  }
  return sarif_log(std::move(run));
}

} // namespace gputest::report
