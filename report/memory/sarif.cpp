// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_log.h"
#include "report/common/site.h"
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
    MemoryRule{"busy-banks", "Warps wait for banks of DRAM that are busy for others"}};

} // namespace

std::string memory_sarif(const MemoryReport& report, const std::filesystem::path& root) {
  Json rules = Json::array(), results = Json::array();
  for (const MemoryRule& rule : kMemoryRules) {
    rules.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.summary}}}});
    add_help(rules.back(), "memory");
  }
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
        Json physical{{"artifactLocation", sarif_artifact(clean(warning.file), root)}};
        if (warning.line != 0)
          physical["region"] = {{"startLine", warning.line},
                                {"startColumn", std::max(1U, warning.column)}};
        results.push_back(
            {{"ruleId", warning.kind},
             {"ruleIndex", rule - kMemoryRules.begin()},
             {"level", "warning"},
             {"message", {{"text", clean(message)}}},
             {"locations", Json::array({{{"physicalLocation", std::move(physical)}}})},
             {"partialFingerprints", {{"gputestMemory/v1", clean(mark)}}}});
      }
  }
  return sarif_log(std::move(rules), std::move(results));
}

} // namespace gputest::report
