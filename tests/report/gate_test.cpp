// The gates of a pull request, and the summary of a job.
#include "report/index/gate.h"

#include "driver/report/analyses.h"
#include "model/interface.h"
#include "report/index/comparison.h"
#include "tests/catch.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

Index index_in(const fs::path& folder) {
  const std::vector<IndexKind> kinds = driver::index_kinds();
  return read_index(kinds, find_results(kinds, {folder}), {.roots = {"."}});
}

// Results in now/ and before/: since then a mutant of `classify` survives that was killed, an
// outcome of `sum` is lost, and a finding of `turn` is new.
struct Regression {
  TemporaryFolder directory;
  std::string now = (directory.path() / "now").string(),
              before = (directory.path() / "before").string();

  Regression() {
    fs::copy(report_data() / "kinds", now, fs::copy_options::recursive);
    fs::copy(report_data() / "mutation" / "classify", fs::path(now) / "classify",
             fs::copy_options::recursive);
    fs::copy(now, before, fs::copy_options::recursive);
    change("classify/mutation.json", [](Json& json) {
      for (Json& file : json["files"])
        for (Json& mutant : file["mutants"])
          if (mutant["gputest"]["verdict"] == "survived") {
            mutant["gputest"]["verdict"] = "killed";
            return;
          }
    });
    change("sum/coverage.json", [](Json& json) { json["sites"][1]["outcomes"]["false"] = 1; });
    change("turn/check.json", [](Json& json) { json["findings"].erase(2); });
  }

  void change(const std::string& file, const std::function<void(Json&)>& edit) const {
    Json json = Json::parse(read_file(before + "/" + file));
    edit(json);
    directory.write("before/" + file, json.dump());
  }

  Result gate(const std::string& gates, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{now, "--no-terminal", "--against", before};
    if (!gates.empty())
      words.insert(words.end(), {"--fail-on", gates});
    words.insert(words.end(), more.begin(), more.end());
    return run_report(words);
  }
};

} // namespace

TEST_CASE("--fail-on stops what got worse, and nothing else", "[report]") {
  const Regression regression;
  CHECK(regression.gate("").code == 0);
  const auto stops = [&](const std::string& gate, const std::string& what) {
    INFO(gate);
    const Result result = regression.gate(gate);
    CHECK(result.code == 1);
    CHECK_THAT(result.err, ContainsSubstring("error: " + gate + ": " + what));
  };
  stops("new-survivors", "1 new survivor\n  classify: kernels/classify.cl:11:33: ");
  stops("lost-outcomes", "1 lost outcome\n  add (sum): sum.cl:2:7: ");
  stops("new-findings", "1 new finding\n  turn: ");
  stops("failures", "");
  const Result all = regression.gate("new-survivors,lost-outcomes,new-findings,failures");
  CHECK(all.code == 1);
  for (const char* name : {"new-survivors:", "lost-outcomes:", "new-findings:", "failures:"})
    CHECK_THAT(all.err, ContainsSubstring(name));

  // Against themselves, results only fail.
  const auto same = [&](const std::string& gate) {
    return run_report(
        {regression.now, "--no-terminal", "--against", regression.now, "--fail-on", gate});
  };
  CHECK(same("new-survivors,lost-outcomes,new-findings").code == 0);
  CHECK(same("failures").code == 1);
  CHECK(run_report({regression.now, "--no-terminal", "--fail-on", "failures"}).code == 1);
}

TEST_CASE("Each set of gates stops each set of changes that it names, and no other", "[report]") {
  struct Kind {
    const char *analysis, *open, *failure; // gates of a new open end, and of one that fails
  };
  const std::vector<Kind> kinds{{"test", "", ""},
                                {"coverage", "lost-outcomes", ""},
                                {"mutation", "new-survivors", ""},
                                {"schedules", "new-findings", "new-findings"},
                                {"check", "new-findings", "new-findings"},
                                {"fuzz", "new-findings", "new-findings"},
                                {"memory", "", "new-findings"},
                                {"generation", "", ""}};
  const auto index_with = [&](unsigned open, unsigned failing) {
    Index index;
    index.rows.push_back({.name = "k", .kernel = "k", .source = "k.cl", .cells = {}});
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Summary& cell = index.rows[0].cells[kinds[i].analysis];
      cell.open.push_back({"old", "k.cl:1:1: known"});
      if (open >> i & 1)
        cell.open.push_back({"new", fmt::format("k.cl:2:1: {}", kinds[i].analysis)});
      if (failing >> i & 1)
        cell.failures.push_back(fmt::format("{} fails", kinds[i].analysis));
    }
    return index;
  };
  const ResultStates before = states_of(index_with(0, 0));
  const unsigned changes_there = 1U << kinds.size();
  for (unsigned open = 0; open < changes_there; ++open)
    for (const unsigned failing : {0U, open, 1U << open % kinds.size()}) {
      const Index now = index_with(open, failing);
      const std::vector<Change> changed = changes(before, states_of(now));
      std::set<std::string> all;
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (open >> i & 1)
          all.insert(kinds[i].open);
        if (failing >> i & 1)
          all.insert({kinds[i].failure, "failures"});
      }
      for (unsigned set = 1; set < 1U << gates().size(); ++set) {
        std::string names;
        std::set<std::string> expected, found;
        for (std::size_t i = 0; i < gates().size(); ++i)
          if (const std::string name(gates()[i].name); set >> i & 1) {
            names += (names.empty() ? "" : ",") + name;
            if (all.contains(name))
              expected.insert(name);
          }
        for (const Stopped& one : stopped_by(gates_from_text(names), now, changed))
          found.emplace(one.gate->name);
        if (found != expected)
          FAIL_CHECK(fmt::format("{} with open {:b} and failing {:b}: {} instead of {}", names,
                                 open, failing, fmt::join(found, " "), fmt::join(expected, " ")));
      }
    }
}

TEST_CASE("What a time limit left out, then or now, is neither new nor gone", "[report]") {
  const Regression regression;
  const auto stops = [&] { return regression.gate("new-survivors").code; };
  CHECK(stops() == 1);
  regression.change("classify/mutation.json", [](Json& json) {
    for (Json& file : json["files"])
      for (Json& mutant : file["mutants"])
        mutant["gputest"]["verdict"] = "not_run";
  });
  CHECK(stops() == 0); // nobody knows what they were
  const Result turned =
      run_report({regression.before, "--no-terminal", "--against", regression.now, "--fail-on",
                  "new-survivors", "--json", regression.now + "/index.json"});
  CHECK(turned.code == 0);
  CHECK_THAT(read_file(regression.now + "/index.json"), !ContainsSubstring("survived"));
}

TEST_CASE("--fail-on names mistakes in what it is given", "[report]") {
  const Regression regression;
  const auto says = [](const Result& result, const std::string& text) {
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring(text));
  };
  says(regression.gate("survivors"),
       "--fail-on: 'survivors' is none of new-survivors, lost-outcomes, new-findings, failures");
  says(regression.gate(","), "'' is none of");
  says(run_report({regression.now, "--fail-on", ""}), "--fail-on: it names nothing");
  says(run_report({regression.now, "--fail-on", "new-survivors"}), "needs --against");
  says(run_report({regression.now, "--fail-on", "failures", "--html", "x.html"}),
       "gates write no other report");
  ::setenv("GPUTEST_FAIL_ON", "everything", 1);
  says(regression.gate(""), "GPUTEST_FAIL_ON: 'everything' is none of");
  ::setenv("GPUTEST_FAIL_ON", "new-findings", 1);
  CHECK(regression.gate("").code == 1);
  ::unsetenv("GPUTEST_FAIL_ON");
}

TEST_CASE("--patch-coverage looks at the lines that changed", "[report]") {
  const TemporaryFolder directory;
  const std::string root = directory.path().string();
  const auto git = [&](const std::string& words) {
    const std::string command = "git -C '" + root +
                                "' -c user.name=a -c user.email=a@b -c commit.gpgsign=false " +
                                words + " >/dev/null 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
  };
  fs::create_directory(root + "/results");
  fs::copy(report_data() / "kinds" / "sum", root + "/results/sum");
  directory.write(".gitignore", "results/\n");
  directory.write("sum.cl", "kernel void add(int a, int b) {\n  if (a < b)\na += b;\n}\n");
  git("init -q");
  git("add -A");
  git("commit -qm one");
  git("tag one");
  REQUIRE(run_report({root + "/results", "--index", root + "/results/report.html", "--source-root",
                      root, "--no-terminal"})
              .code == 0);
  const std::string results = root + "/results/sum/coverage.json";
  const auto measure = [&] { // again
    fs::last_write_time(results, fs::last_write_time(root + "/sum.cl") + std::chrono::seconds(1));
  };
  const auto patch = [&](const std::string& percent, const std::string& since = "one") {
    return run_report({root + "/results", "--no-terminal", "--against", since, "--patch-coverage",
                       percent, "--source-root", root});
  };
  CHECK_THAT(patch("100").out, ContainsSubstring("no line of a measured kernel changed since one"));
  CHECK(patch("100").code == 0);

  // Line 3 is reached; line 1 has nothing that could be.
  directory.write("sum.cl", "kernel void add(int b, int a) {\n  if (a < b)\na  += b;\n}\n");
  fs::last_write_time(root + "/sum.cl", fs::last_write_time(results) + std::chrono::seconds(1));
  const Result stale = patch("0");
  CHECK(stale.code == 1);
  CHECK_THAT(stale.err, ContainsSubstring("patch coverage since one: sum.cl changed after its "
                                          "coverage was measured: run the coverage tests again"));
  measure();
  CHECK_THAT(patch("100").out, ContainsSubstring("patch coverage since one: 100 %, 1 of 1 line"));
  CHECK(patch("100").code == 0);
  Json json = Json::parse(read_file(root + "/results/sum/coverage.json"));
  json["sites"][0]["outcomes"]["executed"] = 0;
  directory.write("results/sum/coverage.json", json.dump());
  directory.write("sum.cl", "kernel void add(int b, int a) {\n  if (a <  b)\na  += b;\n}\n");
  measure();
  const Result missed = patch("90");
  CHECK(missed.code == 1);
  CHECK_THAT(missed.err, ContainsSubstring("patch coverage since one: 50 %, 1 of 2 lines, below "
                                           "90 %\n  no case reaches sum.cl:3"));
  CHECK(patch("50").code == 0);

  const auto says = [](const Result& result, const std::string& text) {
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring(text));
  };
  says(patch("101"), "--patch-coverage: 101 is no percentage");
  says(patch("90", root + "/results"), "--patch-coverage needs --against with a commit");
  says(run_report({root + "/results", "--patch-coverage", "90"}),
       "--patch-coverage needs --against with a commit");
}

TEST_CASE("The Markdown says first what is new, and folds survivors as diffs", "[report]") {
  const Regression regression;
  const std::string file = (regression.directory.path() / "summary.md").string();
  REQUIRE(regression.gate("", {"--markdown", file, "--title", "a | b"}).code == 0);
  const std::string text = read_file(file);
  CHECK_THAT(text, StartsWith("### a \\| b: 1 of 3 kernels hold\n"));
  const std::size_t news = text.find("**4 new since "), table = text.find("| kernel |"),
                    survivors = text.find("5 survivors of <code>classify</code></summary>");
  REQUIRE((news < table && table < survivors && survivors != std::string::npos));
  CHECK_THAT(text, ContainsSubstring("<details><summary>mutation of <code>classify</code>: 1 new"));
  CHECK_THAT(text,
             ContainsSubstring(
                 "\n```diff\n"
                 "- return fabs(p.x - box->low.x) < eps || fabs(p.y - box->low.y) < eps;\n"
                 "+ return fabs(p.x - box->low.x) <= eps || fabs(p.y - box->low.y) < eps;\n```\n"));
  CHECK_THAT(text, ContainsSubstring("- ❌ coverage of add (sum): branch coverage is 50 %"));
}

TEST_CASE("The Markdown names a survivor of the launch, which has no lines to show", "[report]") {
  const Regression regression;
  regression.change("classify/mutation.json", [](Json& json) {
    for (auto& [name, file] : json["files"].items())
      for (Json& mutant : file["mutants"])
        if (mutant["gputest"]["verdict"] == "survived") {
          mutant["gputest"]["kind"] = "launch";
          mutant["gputest"]["launch"] = {
              {"dimension", 0}, {"more_items", -1}, {"more_groups", 0}, {"swapped", false}};
          mutant["gputest"]["text"] = "local size 64";
          mutant["gputest"]["replacement"] = "local size 63";
          return;
        }
  });
  const std::string text = index_markdown(index_in(regression.before));
  CHECK_THAT(text, ContainsSubstring("'local size 64' → 'local size 63' survived"));
  CHECK_THAT(text, !ContainsSubstring("+ local size 63"));
}

TEST_CASE("The Markdown has at most so many bytes, and counts what is left out", "[report]") {
  Index index = index_in(report_data() / "mutation");
  const std::string whole = index_markdown(index);
  CHECK(whole.find("left out here") == std::string::npos);
  for (const std::size_t most : {whole.size() / 2, std::size_t{600}}) {
    const std::string text = index_markdown(index, most);
    CHECK(text.size() <= most);
    CHECK_THAT(text, ContainsSubstring("left out here: the pages have all of it"));
  }
  // Whatever a kernel's text holds, it stays text.
  index.rows[0].cells.at("mutation").open = {
      {"id", "k.cl:1:1: '```' → '<script>' survived", "- ```\n+ <script>\n"}};
  const std::string text = index_markdown(index);
  CHECK_THAT(text, ContainsSubstring("\\`\\`\\`' → '&lt;script&gt;'"));
  CHECK_THAT(text, ContainsSubstring("\n````diff\n- ```\n+ <script>\n````\n"));
}

TEST_CASE("The index writes the job's summary in the place of its last one", "[report]") {
  const Regression regression;
  const std::string file = regression.directory.write("step.md", "what others wrote\n").string();
  ::setenv("GITHUB_STEP_SUMMARY", file.c_str(), 1);
  const auto index = [&](const std::string& title) {
    CHECK(run_report({regression.now, "--no-terminal", "--title", title, "--index",
                      regression.now + "/report.html"})
              .code == 0);
    return read_file(file);
  };
  CHECK_THAT(index("First"), StartsWith("what others wrote\n<!-- gputest: begin -->\n### First: "));
  const std::string second = index("Second");
  CHECK_THAT(second, StartsWith("what others wrote\n<!-- gputest: begin -->\n### Second: ") &&
                         EndsWith("<!-- gputest: end -->\n"));
  CHECK(second.find("First") == std::string::npos);
  ::unsetenv("GITHUB_STEP_SUMMARY");
}
