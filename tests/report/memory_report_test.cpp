// Reports of memory.json: its forms, and files that are none.
#include "model/interface.h"
#include "report/memory/report.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace gputest::report;
using gputest::tests::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const char* const kResult = R"({"format": "gputest-memory-1", "kernel": "copy", "source": "copy.cl",
 "gpu": "embedded", "strategy": "guided", "coverage": {"explored": 1, "total": 2},
 "patches": [{"text": "rows of 'tile' padded by one element", "diff": "--- a/copy.cl\n-  a < b\n",
   "cycles_before": 3000, "cycles": 1500, "cases": 2, "swaps_launch": true, "gain_percent": 50}],
 "cases": [
  {"name": "fine", "schedule": "oldest", "condition": null, "replay": "2.json", "cycles": 1000,
   "overhead": 0, "instructions": 10, "references": [], "warnings": []},
  {"name": "<slow>", "schedule": "guided", "condition": "in[3] < 4", "replay": "1.json",
   "cycles": 2000, "overhead": 500, "instructions": 10,
   "hints": [{"text": "'in' in local memory & tiles", "gain_percent": 20.0}],
   "references": [{"file": "copy.cl", "line": 2, "column": 9, "variable": "in", "access": "read",
    "executions": 4, "transactions": 1234, "fewest": 8, "hits": 0, "misses": 7, "waiting": 99,
    "lost": 55, "stride": null}],
   "timeline": {"cycles_per_step": 500, "warps": [{"core": 0, "warp": 3, "steps": "rmb."}]},
   "cache_sets": {"cycles_per_step": 500, "sets_of_row": 2, "most": 9, "rows": ["a..I", "...."]},
   "warnings": [{"file": "copy.cl", "line": 2, "column": 9, "variable": "in",
    "kind": "interference", "message": "warps evict 'in'", "because": "others load lines",
    "what_if": [{"text": "'in' moved by 64 bytes", "gain_percent": 12.5}]}]}],
 "generation": {"strategy": "guided", "seconds": 2, "executions": 40, "states": 7, "solved": 1,
   "faulty": 0,
   "progress": [{"seconds": 0.1, "executions": 1, "issues": 3, "overhead_percent": 25},
                {"seconds": 2.0, "executions": 40, "issues": 9, "overhead_percent": 25}],
   "compared": [{"strategy": "random",
                 "progress": [{"seconds": 1.0, "executions": 1300, "issues": 5, "overhead_percent": 25}]}]}})";

class MemoryFolder {
public:
  MemoryFolder() {
    write("memory.json", kResult);
    write("copy.cl", "kernel void copy(global const int* in, global int* out) {\n"
                     "  out[0] = in[0];\n}\n");
  }

  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  MemoryReport report() const { return read_memory_report({path / "memory.json"}, ""); }

private:
  const gputest::tests::TemporaryFolder folder_;

public:
  const fs::path path = folder_.path();
};

} // namespace

TEST_CASE("memory.json: the case that loses most comes first") {
  const MemoryReport report = MemoryFolder().report();
  CHECK_THAT(report.title, ContainsSubstring("Memory performance of copy (")); // its folder
  REQUIRE(report.kernels.size() == 1);
  REQUIRE(report.kernels[0].results.cases.size() == 2);
  CHECK(report.kernels[0].results.cases[0].name == "<slow>");
  CHECK(report.kernels[0].results.cases[0].overhead_percent() == 25);
  CHECK_THAT(memory_terminal(report),
             ContainsSubstring("copy.cl:2:9: warning: memory: warps evict 'in' (case '<slow>')\n"
                               "  because: others load lines\n"
                               "  what if: 'in' moved by 64 bytes: -12.5 % cycles\n"));
  CHECK_THAT(memory_terminal(report), ContainsSubstring("1 of 2 references"));
  CHECK_THAT(
      memory_terminal(report),
      ContainsSubstring(
          "patch: rows of 'tile' padded by one element: -50.0 % cycles, 1500 "
          "instead of 3000; the same results in 2 cases; launches must swap "
          "their first two global sizes, local sizes and offsets\n--- a/copy.cl\n-  a < b\n"));
  CHECK_THAT(memory_html(report, {}),
             ContainsSubstring("<pre class=\"text\">--- a/copy.cl\n-  a &lt; b"));
  // What no warning calls for.
  CHECK_THAT(memory_terminal(report),
             ContainsSubstring("what if: 'in' in local memory & tiles: -20.0 % cycles (case "
                               "'<slow>')\n"));
  CHECK_THAT(memory_html(report, {}),
             ContainsSubstring("<p>what if: &#39;in&#39; in local memory &amp; tiles: -20.0 % "
                               "cycles</p>"));
}

TEST_CASE("memory.json of a version that did not write the lost cycles over time") {
  const MemoryReport report = MemoryFolder().report(); // kResult has no `lost` in `progress`
  const auto& generation = report.kernels.at(0).results.generation;
  REQUIRE(generation);
  REQUIRE(generation->progress.size() == 2);
  CHECK(generation->progress[1].issues == 9);
  CHECK(generation->progress[1].lost == 0);
}

TEST_CASE("memory.json is shown as SARIF") {
  const MemoryFolder folder;
  const auto log = nlohmann::json::parse(memory_sarif(folder.report(), {.roots = {folder.path}}));
  const auto& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 1);
  CHECK(results[0]["ruleId"] == "interference");
  CHECK(results[0]["level"] == "warning");
  CHECK(
      log["runs"][0]["tool"]["driver"]["rules"][results[0]["ruleIndex"].get<std::size_t>()]["id"] ==
      "interference");
  CHECK(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 2);
}

TEST_CASE("memory.json is shown as JUnit XML") {
  const std::string xml = memory_junit(MemoryFolder().report());
  CHECK_THAT(xml, ContainsSubstring("tests=\"2\" failures=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("name=\"&lt;slow&gt;\""));
  CHECK_THAT(xml, ContainsSubstring("<failure type=\"interference\" message=\"warps evict "
                                    "&#39;in&#39;\">"));
}

TEST_CASE("memory.json is shown as a page") {
  const MemoryFolder folder;
  const std::string html = memory_html(folder.report(), {.roots = {folder.path}});
  CHECK_THAT(html, ContainsSubstring("&lt;slow&gt;"));
  CHECK_THAT(html, ContainsSubstring("<td>1,234</td>"));             // transactions
  CHECK_THAT(html, ContainsSubstring("in[3] &lt; 4"));               // the condition
  CHECK_THAT(html, ContainsSubstring("core 0 warp 3"));              // the time line
  CHECK_THAT(html, ContainsSubstring("guided: 9 in 40 executions")); // issues over time
  CHECK_THAT(html, ContainsSubstring("random: 5 in 1,300 executions"));
  // Nothing until half of the time, 5 of 9 until its end.
  CHECK_THAT(html, ContainsSubstring("class=\"curve curve1\" points=\"40.0,128.0 425.0,128.0 "
                                     "425.0,61.3 810.0,61.3\""));
  // The sets: a ninth of the most in the first step, all of it in the last.
  CHECK_THAT(html, ContainsSubstring("class=\"missed\" fill-opacity=\"0.29\" x=\"90.00\""));
  CHECK_THAT(html, ContainsSubstring("class=\"evicted\" fill-opacity=\"1.00\" x=\"630.00\""));
  CHECK_THAT(html, ContainsSubstring("<tr class=\"slow\"><td>99</td><td>55")); // the line
  CHECK_THAT(memory_html(folder.report(), {.roots = {"/nowhere"}}),
             ContainsSubstring("<tr class=\"slow\">")); // beside the results
  fs::remove(folder.path / "copy.cl");
  CHECK_THAT(memory_html(folder.report(), {.roots = {"/nowhere"}}),
             ContainsSubstring("The file was not found"));
}

TEST_CASE("A file that is no memory.json is refused") {
  const MemoryFolder folder;
  folder.write("memory.json", R"({"format": "gputest-memory-1", "kernel": "copy"})");
  CHECK_THROWS_AS(folder.report(), gputest::model::FormatError);
}
