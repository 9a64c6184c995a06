#include "model/coverage.h"
#include "tests/catch.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::tests;

namespace {

Result run(const std::vector<std::string>& arguments) {
  return run_report(arguments);
}

std::string data(const std::string& name) {
  return (report_data() / name).string();
}

} // namespace

TEST_CASE("gputest report prints the table", "[report]") {
  const Result result =
      run({data("reduce"), data("reduce_large"), data("classify"), data("copy/coverage.json")});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out == read_file(report_data() / "expected" / "terminal.txt"));
}

TEST_CASE("gputest report writes what it is asked for, and nothing else", "[report]") {
  const TemporaryFolder directory;
  const auto file = [&](const std::string& name) {
    return (directory.path() / "new/folder" / name).string();
  };
  const Result result = run({data("reduce"), "--no-terminal", "--source-root", data(""), "--title",
                             "My <title>", "--html", file("a.html"), "--lcov", file("a.info"),
                             "--cobertura", file("a.xml"), "--json", file("a.json")});
  CHECK(result.code == 0);
  CHECK(result.out.empty());
  CHECK_THAT(read_file(file("a.html")), ContainsSubstring("<title>My &lt;title&gt;</title>") &&
                                            ContainsSubstring("get_local_id"));
  CHECK_THAT(read_file(file("a.info")),
             StartsWith("TN:My__title_\nSF:" + data("kernels/guard.h") + "\n"));
  CHECK_THAT(read_file(file("a.xml")), ContainsSubstring("<source>" + data("") + "</source>"));
  CHECK(model::read_coverage(file("a.json")).kernel == "reduce");
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path() / "new/folder"), {}) ==
        4);
}

TEST_CASE("A threshold that is missed is exit 1, after the report", "[report]") {
  const model::Tally branch =
      model::tally(model::read_coverage(data("reduce/coverage.json"))).branch;
  REQUIRE(branch.covered < branch.total);
  const Result missed =
      run({data("reduce"), "--threshold", "branch=100", "--threshold", "statement=0"});
  CHECK(missed.code == 1);
  CHECK_FALSE(missed.out.empty());
  CHECK_THAT(missed.err, StartsWith("error: branch coverage is ") &&
                             ContainsSubstring("below the threshold of 100 %"));
  CHECK(run({data("reduce"), "--threshold", "branch=1"}).code == 0);
  CHECK(run({data("reduce"), "--threshold", "branch=101"}).code == 2);
  CHECK(run({data("reduce"), "--threshold", "branch=nan"}).code == 2);
  CHECK(run({data("reduce"), "--threshold", "path=1"}).code == 2);
}

TEST_CASE("A merged file can be reported on again", "[report]") {
  const TemporaryFolder directory;
  const std::string merged = (directory.path() / "coverage.json").string();
  const Result first = run({data("reduce"), data("reduce_large"), "--json", merged});
  CHECK(run({merged}).out == first.out);
}

TEST_CASE("Sources are found beside the coverage file", "[report]") {
  const TemporaryFolder directory;
  model::Coverage coverage =
      coverage_of({site(model::Criterion::Statement, "", 1, 1, "unique_name;", {{"executed", 1}})});
  directory.write("k.cl", "unique_name();\n");
  model::write_coverage(coverage, directory.path() / "coverage.json");
  const std::string page = (directory.path() / "page.html").string();
  CHECK(run({directory.path().string(), "--html", page, "--no-terminal"}).code == 0);
  CHECK_THAT(read_file(page),
             ContainsSubstring("unique_name</span>();") || ContainsSubstring("unique_name();"));
}

TEST_CASE("Wrong arguments and input are exit 2, with a message", "[report]") {
  const TemporaryFolder directory;
  const std::string malformed = directory.write("coverage.json", "[1, 2").string();
  const auto fails = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Result result = run(arguments);
    INFO(message);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring(message));
  };
  fails({}, "no coverage.json, mutation.json, schedules.json, check.json or memory.json given");
  fails({"/no/such.json"}, "/no/such.json: error: no such file or directory");
  fails({malformed}, malformed + ": error: not JSON");
  fails({directory.path().string()}, malformed + ": error: not JSON");
  fails({data("kernels")}, "no coverage.json, mutation.json, schedules.json, check.json or "
                           "memory.json in this directory or below");
  fails({data("reduce"), "--htlm", "x"}, "see gputest report --help");
  fails({data("reduce"), "--html"}, "see gputest report --help");
  fails({data("reduce"), "--source-root", "/no/such"},
        "/no/such: error: --source-root is not a directory");
  std::filesystem::create_directory(directory.path() / "taken");
  fails({data("reduce"), "--html", (directory.path() / "taken").string()},
        (directory.path() / "taken").string() + ": error: cannot be written");
  fails({data("reduce"), "--json", malformed + "/x"}, malformed + "/x: error: cannot be written");
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) ==
        2); // no leftovers
}

TEST_CASE("gputest report explains itself", "[report]") {
  const Result result = run({"--help"});
  CHECK(result.code == 0);
  for (const char* option :
       {"--html", "--lcov", "--cobertura", "--json", "--source-root", "--title", "--no-terminal"})
    CHECK_THAT(result.out, ContainsSubstring(option));
}
