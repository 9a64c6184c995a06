#include "report/index/index.h"

#include "driver/report/analyses.h"
#include "model/interface.h"
#include "report/common/inputs.h"
#include "report/index/comparison.h"
#include "tests/catch.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
namespace fs = std::filesystem;

namespace {

Index sample_index() {
  const std::vector<IndexKind> kinds = driver::index_kinds();
  Index index = read_index(kinds, find_results(kinds, {report_data() / "kinds"}), {.roots = {"."}});
  index.date = "2026-01-02 03:04 UTC"; // that of a checkout
  index.commit = "1a2b3c4d5e6f";
  index.tool = "gputest 1.0";
  return index;
}

const Summary& cell(const Index& index, const std::string& name, const std::string& kind) {
  return std::ranges::find(index.rows, name, &IndexRow::name)->cells.at(kind);
}

// A folder with results that are to be changed.
void copy_kinds(const TemporaryFolder& directory) {
  fs::copy(report_data() / "kinds", directory.path() / "kinds", fs::copy_options::recursive);
}

} // namespace

TEST_CASE("Each analysis has a column of the index", "[report]") {
  const std::vector<IndexKind> kinds = driver::index_kinds();
  for (const model::Analysis& analysis : model::analyses()) {
    INFO(analysis.name);
    const auto kind = std::ranges::find(kinds, analysis.name, &IndexKind::name);
    REQUIRE(kind != kinds.end());
    CHECK(kind->result == analysis.result);
    CHECK(kind->read != nullptr);
  }
}

TEST_CASE("A cell says what its results come to", "[report]") {
  const Index index = sample_index();
  REQUIRE(index.rows.size() == 2);
  CHECK(label_of(index.rows[0]) == "add (sum)");
  CHECK(cell(index, "turn", "test").value == "2/3");
  CHECK(cell(index, "turn", "test").failures ==
        std::vector<std::string>{"case 'large' failed: data[0]: expected 6, got 7 and more"});
  CHECK(cell(index, "turn", "test").unverified.size() == 2);
  CHECK_THAT(cell(index, "turn", "test").unverified[0],
             ContainsSubstring("nothing says what the outputs should be"));
  CHECK(cell(index, "turn", "test").unverified[1] ==
        "case 'one <item>': expected outputs are recorded, not verified");
  CHECK(cell(index, "turn", "test").weak ==
        std::vector<std::string>{
            "case 'one <item>': no value that the kernel reads changes its outputs"});
  CHECK(cell(index, "sum", "coverage").value == "50 %");
  CHECK(cell(index, "sum", "coverage").detail == "branch, 1 of 2");
  CHECK(cell(index, "sum", "coverage").failures ==
        std::vector<std::string>{"branch coverage is 50 %, below the threshold of 80 %"});
  CHECK(cell(index, "sum", "coverage").open.size() == 1);
  CHECK(cell(index, "sum", "schedules").failures.size() == 1);
  CHECK(cell(index, "sum", "check").failures.empty());
  CHECK(cell(index, "turn", "check").value == "1/4");
  CHECK(cell(index, "turn", "check").failures.size() == 4); // two causes, two verdicts
  CHECK(cell(index, "sum", "fuzz").value == "1");
  CHECK(cell(index, "sum", "memory").value == "23 %");
  CHECK(cell(index, "sum", "memory").failures ==
        std::vector<std::string>{"case 'arguments' loses 23.3 % of its cycles, more than 20 %"});
  CHECK(cell(index, "sum", "generation").value == "1/2"); // what is impossible does not count
  CHECK(held(index, "check").held == 1);
  CHECK(held(index, "check").all == 2);
}

TEST_CASE("Mutants that nothing notices are open", "[report]") {
  const std::vector<IndexKind> kinds = driver::index_kinds();
  const Index index =
      read_index(kinds, find_results(kinds, {report_data() / "mutation"}), {.roots = {"."}});
  std::size_t open = 0;
  for (const IndexRow& row : index.rows)
    open += row.cells.at("mutation").open.size();
  CHECK(open == 21); // 23 of 44 are killed
}

TEST_CASE("Every form of the index is as expected", "[report]") {
  Index index = sample_index();
  index.pages = {{"check", "check.html"}, {"generation/sum", "sum/generation.html"}};
  index.history.trends["test"] = {50, 75, 100};
  index.history.changes = {
      {"check", "turn", "turn", {{"a", "turn.cl:9:1: <new>"}}, {{"b", "turn.cl:1:1: old"}}}};
  check_golden("index.html", index_html(index));
  check_golden("index.txt", index_terminal(index, false, 80));
  const std::string whole = index_terminal(index, false, std::nullopt); // for files and pipes
  CHECK_THAT(whole, !ContainsSubstring("…") && ContainsSubstring(": case 'large' failed: data[0]: "
                                                                 "expected 6, got 7"));
  check_golden("index.json", index_json(index));
  check_golden("badge.svg", badge(index));
}

TEST_CASE("If nothing fails, the index names the kernels whose outputs have no oracle",
          "[report]") {
  Index index = sample_index();
  std::erase_if(index.kinds, [](const IndexKind& kind) { return kind.name != "test"; });
  for (IndexRow& row : index.rows)
    for (auto& [kind, cell] : row.cells)
      cell.failures.clear();
  CHECK_THAT(index_html(index),
             ContainsSubstring("<p class=\"problem warning\">Nothing fails, and no threshold is "
                               "missed. But whether outputs are right, nobody has said of <a "
                               "href=\"#unverified\">2 cases of 1 kernel</a>.</p>") &&
                 ContainsSubstring("<section class=\"changes\" id=\"unverified\">"));
  const std::string yellow = "\x1b[33m", green = "\x1b[32m";
  CHECK_THAT(index_terminal(index, true, 80), ContainsSubstring(yellow));
  for (IndexRow& row : index.rows)
    for (auto& [kind, cell] : row.cells)
      cell.unverified.clear();
  CHECK_THAT(index_html(index), ContainsSubstring("<p class=\"problem ok\">Nothing fails, and no "
                                                  "threshold is missed.</p>") &&
                                    !ContainsSubstring("nobody has said"));
  CHECK_THAT(index_terminal(index, true, 80),
             ContainsSubstring(green) && !ContainsSubstring(yellow));
}

TEST_CASE("The history knows what is new since the run before", "[report]") {
  Summary summary;
  summary.name = summary.kernel = "k";
  summary.percent = 50;
  std::string stored;
  const auto run = [&](std::vector<OpenEnd> open, const std::string& stamp) {
    summary.open = std::move(open);
    return remember(stored, {{"mutation", &summary, stamp}}, "a date", "a commit");
  };
  CHECK(run({{"a", "A"}, {"b", "B"}}, "1").changes.empty()); // nothing to compare with
  const History second = run({{"b", "B"}, {"c", "C"}}, "2");
  REQUIRE(second.changes.size() == 1);
  CHECK(second.changes[0].appeared[0].text == "C");
  CHECK(second.changes[0].gone[0].text == "A");
  CHECK(second.trends.at("mutation") == std::vector<double>{50, 50});
  CHECK(run({{"b", "B"}, {"c", "C"}}, "2").changes.size() == 1); // the same results once more
  CHECK(run({{"b", "B"}, {"c", "C"}}, "3").changes.empty());
  for (int i = 0; i < 60; ++i)
    run({}, "stamp " + std::to_string(i));
  CHECK(run({}, "last").trends.at("mutation").size() == 50);
  const std::string edited = R"({"format": "gputest-history-1", "results": 7, "runs": 8})";
  stored = edited;
  CHECK_THROWS_AS(run({{"a", "A"}}, "4"), model::FormatError);
  CHECK(stored == edited);
}

TEST_CASE("What a comparison has twice counts twice, and numbers make no other failure",
          "[report]") {
  const auto states = [](const std::vector<OpenEnd>& open, const std::string& failure) {
    Summary summary;
    summary.open = open;
    summary.failures = {failure};
    Index index;
    index.rows.push_back({"k", "k", "k.cl", {{"coverage", summary}}});
    return states_of(index);
  };
  const ResultStates before = states({{"i < n", "line 4"}}, "branch 74 % is below 75 %");
  const ResultStates now =
      states({{"i < n", "line 4"}, {"i < n", "line 9"}}, "branch 74.5 % is below 75 %");
  const std::vector<Change> found = changes(before, now);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].appeared.size() == 1);
  CHECK(found[0].appeared[0].text == "line 9");
  CHECK(found[0].gone.empty());
  CHECK(changes(states({}, "case 'a1' failed"), states({}, "case 'a2' failed")).size() == 1);
}

TEST_CASE("A comparison has what is new, what is gone and what has another value", "[report]") {
  const auto state = [](const std::string& name, const std::string& value,
                        std::map<std::string, std::string> open) {
    return ResultStates::value_type{"mutation/" + name + "/add",
                                    {"mutation", name, "add", value, "1", std::move(open)}};
  };
  const ResultStates before{state("sum", "80 %", {{"a", "A"}, {"b", "B"}}),
                            state("gone", "1/1", {})};
  const ResultStates now{state("sum", "75 %", {{"b", "B"}, {"c", "C"}}), state("new", "50 %", {})};
  CHECK(changes(now, now).empty());
  const std::vector<Change> found = changes(before, now);
  REQUIRE(found.size() == 2);
  CHECK(changes_terminal(found, false) == "  mutation of add (new): 50 % (new); 0 new, 0 gone\n"
                                          "  mutation of add (sum): 80 % → 75 %; 1 new, 1 gone\n"
                                          "    new: C\n    gone: A\n");
  CHECK(changes(states_from_text(to_text(before)), now).size() == 2);
  CHECK(changes(states_from_text(to_text(now)), now).empty());
  CHECK_THROWS_AS(states_from_text("{}"), model::FormatError);
}

TEST_CASE("gputest report --against compares with a folder, and with a commit's results",
          "[report]") {
  const TemporaryFolder directory;
  copy_kinds(directory);
  const std::string root = directory.path().string(), folder = root + "/kinds";
  fs::copy(folder, root + "/before", fs::copy_options::recursive);
  const auto git = [&](const std::string& words) {
    const std::string command = "git -C '" + root +
                                "' -c user.name=a -c user.email=a@b -c commit.gpgsign=false " +
                                words + " >/dev/null 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
  };
  directory.write("source.cl", "kernel void k() {}\n");
  directory.write(".gitignore", "kinds/\nbefore/\n*.html\n");
  git("init -q");
  git("add -A");
  git("commit -qm one");
  git("tag one");
  const auto index = [&] {
    const Result result =
        run_report({folder, "--index", folder + "/report.html", "--source-root", root});
    INFO(result.err);
    REQUIRE(result.code == 0);
  };
  const auto against = [&](const std::string& what) {
    return run_report({folder, "--against", what, "--source-root", root});
  };
  index();
  CHECK_THAT(against("one").out, ContainsSubstring("nothing changed"));

  // The next commit has one finding less.
  directory.write("source.cl", "kernel void k(int a) {}\n");
  auto json = nlohmann::ordered_json::parse(read_file(folder + "/turn/check.json"));
  json["findings"].erase(2);
  directory.write("kinds/turn/check.json", json.dump());
  index(); // sources differ from the commit: nothing is kept
  git("commit -qam two");
  CHECK(against("HEAD").code == 2);
  CHECK_THAT(against("HEAD").err, ContainsSubstring("has no results of HEAD"));
  index();
  CHECK_THAT(against("HEAD").out, ContainsSubstring("nothing changed"));
  for (const std::string& what : {std::string("one"), root + "/before"}) {
    const Result result = against(what);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, ContainsSubstring("since " + what));
    CHECK_THAT(result.out, ContainsSubstring("  check of turn: ") && ContainsSubstring(" gone: "));
    CHECK(result.out.find("coverage of") == std::string::npos); // it is what it was
  }
  const Result page = run_report({folder, "--against", "one", "--index", folder + "/report.html",
                                  "--json", root + "/index.json", "--source-root", root});
  CHECK(page.code == 0);
  CHECK_THAT(read_file(folder + "/report.html"), ContainsSubstring("<h2>Since one ("));
  CHECK(nlohmann::json::parse(read_file(root + "/index.json"))["changes"].size() == 1);

  CHECK(against("nothing-of-the-kind").code == 2);
  CHECK(run_report({folder, "--against", "one", "--html", "x.html"}).code == 2);
}

TEST_CASE("gputest report takes several kinds, and writes a page of each and an index",
          "[report]") {
  const TemporaryFolder directory;
  copy_kinds(directory);
  const auto file = [&](const char* name) { return (directory.path() / name).string(); };
  const Result result =
      run_report({file("kinds"), "--html", file("out/report.html"), "--sarif", file("r.sarif"),
                  "--junit", file("r.xml"), "--json", file("r.json"), "--lcov", file("r.lcov"),
                  "--source-root", (report_data() / "kernels").string()});
  INFO(result.err);
  CHECK(result.code == 0);
  for (const char* line : {"Tests of 2 kernels", "  check ", "  memory ", "1 of 2 kernels hold"})
    CHECK_THAT(result.out, ContainsSubstring(line));
  const std::string index = read_file(file("out/report.html"));
  for (const char* page : {"coverage.html", "schedules.html", "check.html", "memory.html"}) {
    CHECK_THAT(index, ContainsSubstring(std::string("href=\"") + page + "\""));
    CHECK(fs::exists(directory.path() / "out" / page));
  }
  CHECK(nlohmann::json::parse(read_file(file("r.sarif")))["runs"].size() == 4);
  CHECK(nlohmann::json::parse(read_file(file("r.json")))["kernels"].size() == 2);
  CHECK_THAT(read_file(file("r.xml")),
             ContainsSubstring("tests=\"9\" failures=\"4\" errors=\"1\"") &&
                 ContainsSubstring("<testcase classname=\"check.turn\" name=\"small\""));
  CHECK_THAT(read_file(file("r.lcov")), ContainsSubstring("sum.cl\n"));
  const Result threshold = run_report({file("kinds"), "--threshold", "80"});
  CHECK(threshold.code == 2);
  CHECK_THAT(threshold.err, ContainsSubstring("--threshold is for results of one kind"));
}

TEST_CASE("gputest report --index links the pages that are there", "[report]") {
  const TemporaryFolder directory;
  copy_kinds(directory);
  directory.write("kinds/check.html", "a page");
  directory.write("kinds/sum/memory.html", "a page");
  const std::string folder = (directory.path() / "kinds").string();
  const auto make = [&] {
    const Result result =
        run_report({folder, "--index", folder + "/report.html", "--badge", folder + "/badge.svg"});
    INFO(result.err);
    CHECK(result.code == 0);
    return read_file(folder + "/report.html");
  };
  const std::string first = make();
  CHECK_THAT(first, ContainsSubstring("href=\"check.html\""));
  CHECK_THAT(first, ContainsSubstring("href=\"sum/memory.html#kernel-sum-add\""));
  CHECK(first.find("coverage.html") == std::string::npos);
  CHECK(first.find("Since the run before") == std::string::npos);
  CHECK_THAT(read_file(folder + "/badge.svg"), ContainsSubstring("0/2 hold"));
  // The next run has one finding less.
  auto json = nlohmann::ordered_json::parse(read_file(folder + "/turn/check.json"));
  json["findings"].erase(2);
  directory.write("kinds/turn/check.json", json.dump());
  fs::last_write_time(directory.path() / "kinds/turn/check.json",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  CHECK_THAT(make(), ContainsSubstring("1 gone"));

  directory.write("kinds/old/check.json", R"({"format": "gputest-check-1"})");
  CHECK_THAT(make(), ContainsSubstring("left out: ") &&
                         ContainsSubstring("format is &#39;gputest-check-1&#39;"));
  CHECK_THAT(run_report({folder, "--index", folder + "/report.html"}).out,
             ContainsSubstring("  left out: "));

  const Result both = run_report({folder, "--index", folder + "/i.html", "--html", "x.html"});
  CHECK(both.code == 2);
  CHECK_THAT(
      both.err,
      ContainsSubstring(
          "--html: --index, --badge, --markdown, --against and the gates write no other report"));
  CHECK(run_report({"/nowhere", "--index", "i.html"}).code == 2);
  CHECK(run_report({"--index", "i.html"}).code == 2);
  const TemporaryFolder empty;
  CHECK_THAT(run_report({empty.path().string(), "--index", "i.html"}).err,
             ContainsSubstring("no results in it or below"));
}
