#include "report/coverage/outputs.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Criterion;

namespace {

const SourceTree kSources{.roots = {report_data()}};

struct Record {
  std::map<unsigned, unsigned> lines;     // DA
  std::vector<std::string> branches;      // BRDA
  std::map<std::string, unsigned> counts; // LF, LH, BRF, BRH, FNF, FNH
  std::set<std::string> functions, function_counts;
};

// A reader of its own, strict about what geninfo(1) describes.
std::map<std::string, Record> parse(const std::string& text) {
  std::map<std::string, Record> records;
  std::istringstream stream(text);
  std::string file;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(':');
    const std::string key = line.substr(0, colon);
    const std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    const std::size_t comma = value.find(',');
    if (key == "TN") {
      CHECK(file.empty());
      CHECK(value.find_first_not_of(
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
            std::string::npos);
    } else if (key == "SF") {
      file = value;
    } else if (key == "DA") {
      records[file].lines[static_cast<unsigned>(std::stoul(value))] =
          static_cast<unsigned>(std::stoul(value.substr(comma + 1)));
    } else if (key == "BRDA") {
      records[file].branches.push_back(value);
    } else if (key == "FN") {
      records[file].functions.insert(value.substr(comma + 1));
    } else if (key == "FNDA") {
      records[file].function_counts.insert(value.substr(comma + 1));
    } else if (key == "end_of_record") {
      file.clear();
    } else {
      REQUIRE(std::set<std::string>{"LF", "LH", "BRF", "BRH", "FNF", "FNH"}.contains(key));
      records[file].counts[key] = static_cast<unsigned>(std::stoul(value));
    }
  }
  CHECK(file.empty());
  return records;
}

bool is_taken(const std::string& branch) {
  const std::string taken = branch.substr(branch.rfind(',') + 1);
  return taken != "-" && taken != "0";
}

} // namespace

TEST_CASE("The whole report is written for lcov", "[report]") {
  std::string text = lcov(sample_report(), kSources);
  const std::string folder = (report_data() / "").string(); // files that are found have whole names
  for (std::size_t at = 0; (at = text.find("SF:" + folder, at)) != std::string::npos;)
    text.erase(at + 3, folder.size());
  check_golden("lcov.info", text);
  CHECK(text.find("SF:kernels/reduce.cl") != std::string::npos);
  CHECK(lcov(sample_report(), kSources).find("SF:kernels/") == std::string::npos);
}

TEST_CASE("An lcov tracefile adds up", "[report]") {
  const Report report = sample_report();
  const auto records = parse(lcov(report, kSources));
  CHECK(records.size() == 5);
  std::size_t branches = 0, taken = 0;
  for (const auto& [file, record] : records) {
    INFO(file);
    CHECK(record.counts.at("LF") == record.lines.size());
    CHECK(record.counts.at("LH") ==
          std::ranges::count_if(record.lines, [](const auto& line) { return line.second > 0; }));
    CHECK(record.counts.at("BRF") == record.branches.size());
    CHECK(record.counts.at("BRH") == std::ranges::count_if(record.branches, is_taken));
    CHECK(record.counts.at("FNF") == record.functions.size());
    CHECK(record.functions == record.function_counts);
    for (const std::string& branch : record.branches) // every branch is on a line that counts
      CHECK(record.lines.contains(static_cast<unsigned>(std::stoul(branch))));
    branches += record.counts.at("BRF");
    taken += record.counts.at("BRH");
  }
  const model::Criteria criteria = model::tally(report.all);
  CHECK(branches == criteria.branch.total);
  CHECK(taken == criteria.branch.covered);
}

TEST_CASE("A line's count is the largest of its statements", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 2}}),
                   site(Criterion::Statement, "", 1, 9, "y;", {{"executed", 5}}),
                   site(Criterion::Statement, "", 2, 1, "if", {{"executed", 0}}),
                   site(Criterion::Branch, "if", 2, 5, "a", {{"true", 0}, {"false", 0}}),
                   site(Criterion::Branch, "switch", 3, 1, "case 1", {{"taken", 4}}),
                   site(Criterion::Branch, "if", 3, 9, "b", {{"true", 4}, {"false", 0}})});
  const Record record = parse(lcov(make_report({coverage}, ""), kSources)).at("k.cl");
  CHECK(record.lines == std::map<unsigned, unsigned>{{1, 5}, {2, 0}, {3, 4}});
  CHECK(record.branches ==
        std::vector<std::string>{"2,0,0,-", "2,0,1,-", "3,0,0,4", "3,1,0,4", "3,1,1,0"});
}

TEST_CASE("Loops and barriers are lines of lcov, and a function is where its name is", "[report]") {
  const TemporaryFolder directory;
  directory.write("k.cl", "// k(x)\n"
                          "__kernel void\n"
                          "k(__global int *a) {\n"
                          "  for (;;) {\n"
                          "    a[0] = ok(1);\n"
                          "  }\n"
                          "  barrier(1);\n"
                          "}\n");
  const model::Coverage coverage =
      coverage_of({site(Criterion::Loop, "for", 4, 3, "for (;;)", {{"zero", 0}, {"many", 2}}),
                   site(Criterion::Statement, "", 5, 5, "a[0] = 1;", {{"executed", 3}}),
                   site(Criterion::Barrier, "", 7, 3, "barrier(1)", {{"executed", 0}})});
  const std::string text = lcov(make_report({coverage}, ""), {.roots = {directory.path()}});
  for (const char* line : {"FN:3,k\n", "DA:4,2\n", "DA:5,3\n", "DA:7,0\n", "LF:3\nLH:2\n"})
    CHECK_THAT(text, ContainsSubstring(line));
  CHECK_THAT(lcov(make_report({coverage}, ""), {.roots = {"/nowhere"}}),
             ContainsSubstring("FN:4,k"));
}

TEST_CASE("lcov has what is made of a template by its own names") {
  model::SiteCoverage one = site(Criterion::Statement, "", 3, 1, "x;", {{"executed", 1}});
  one.site.function = "pair";
  one.site.id = "pair.statement.1";
  one.instances = {{.function = "pair<int, float>", .hits = {1}},
                   {.function = "pair<int, char>", .hits = {0}}};
  model::Coverage coverage = coverage_of({one});
  coverage.apart = true;
  const Report report = make_report({model::shown(coverage)}, "T");
  const std::string text = lcov(report, kSources);
  const Record record = parse(text).at("k.cl");
  // lcov ends a name at a comma.
  CHECK(record.functions == std::set<std::string>{"pair<int; float>", "pair<int; char>"});
  CHECK_THAT(text, ContainsSubstring("FNDA:1,pair<int; float>"));
  CHECK_THAT(text, ContainsSubstring("FNDA:0,pair<int; char>"));
  CHECK(record.lines.at(3) == 1);
  CHECK_THAT(terminal(report, false), ContainsSubstring("was never executed in pair<int, char>"));
  CHECK_THAT(coverage_page(report, kSources, "").main,
             ContainsSubstring("was never executed in pair&lt;int, char&gt;"));
}
