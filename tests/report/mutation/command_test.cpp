#include "model/files.h"
#include "model/mutation/mutation.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::tests;
using model::Verdict;

namespace {

std::string data(const std::string& name) {
  return (report_data() / name).string();
}

std::string write(const TemporaryFolder& directory, const std::string& name,
                  const model::Mutation& kernel) {
  const auto file = directory.write(name, "");
  model::write_atomically(file, model::text_of(std::span(&kernel, 1)));
  return file.string();
}

} // namespace

TEST_CASE("gputest report tells mutation.json by its content", "[report]") {
  const TemporaryFolder directory;
  const Result found = run_report({data("mutation")});
  CHECK(found.code == 0);
  CHECK(found.err.empty());
  CHECK(found.out == read_file(report_data() / "expected" / "mutation_terminal.txt"));
  const std::string other_name =
      write(directory, "results", mutation_of({result("m", Verdict::Killed)}));
  CHECK_THAT(run_report({other_name}).out, ContainsSubstring("1/1 100 %"));
}

TEST_CASE("gputest report writes mutation results in every form", "[report]") {
  const TemporaryFolder directory;
  const auto file = [&](const std::string& name) {
    return (directory.path() / "new" / name).string();
  };
  const Result written = run_report({data("mutation"), "--no-terminal", "--title", "My <title>",
                                     "--html", file("a.html"), "--sarif", file("a.sarif"),
                                     "--junit", file("a.xml"), "--json", file("a.json")});
  CHECK(written.code == 0);
  CHECK(written.out.empty());
  CHECK_THAT(read_file(file("a.html")), ContainsSubstring("<title>My &lt;title&gt;</title>"));
  CHECK_THAT(read_file(file("a.sarif")), ContainsSubstring("\"version\": \"2.1.0\""));
  CHECK_THAT(read_file(file("a.xml")), ContainsSubstring("<testsuites name=\"My &lt;title&gt;\""));
  CHECK(model::read_mutations(file("a.json")).size() == 2);
  // The merged file is an input like any other.
  CHECK(run_report({file("a.json")}).out == run_report({data("mutation")}).out);
}

TEST_CASE("Shards of a kernel are reported as one", "[report]") {
  const TemporaryFolder directory;
  const std::string first = write(directory, "1.json", mutation_of({result("a", Verdict::Killed)})),
                    second =
                        write(directory, "2.json", mutation_of({result("b", Verdict::Survived)}));
  CHECK_THAT(run_report({first, second}).out, ContainsSubstring("1/2  50 %"));
}

TEST_CASE("A mutation threshold that is missed is exit 1, after the report", "[report]") {
  const TemporaryFolder directory;
  const std::string half =
      write(directory, "half.json",
            mutation_of({result("a", Verdict::Killed), result("b", Verdict::Survived)}));
  const Result missed = run_report({half, "--threshold", "50.5"});
  CHECK(missed.code == 1);
  CHECK_FALSE(missed.out.empty());
  CHECK(missed.err == "error: the mutation score is 50 %, below the threshold of 50.5 %\n");
  CHECK(run_report({half, "--threshold", "50"}).code == 0);
  const std::string none =
      write(directory, "none.json", mutation_of({result("a", Verdict::Equivalent)}));
  CHECK(run_report({none, "--threshold", "100"}).code == 0);
}

TEST_CASE("The viewer makes the page, unless there are too many mutants for it", "[report]") {
  const TemporaryFolder directory;
  const std::string viewer = directory.write("v.js", "/* mutation-test-report-app */").string(),
                    page = (directory.path() / "page.html").string();
  CHECK(run_report({data("mutation"), "--no-terminal", "--html", page, "--viewer", viewer}).err ==
        "");
  CHECK_THAT(read_file(page), ContainsSubstring("<mutation-test-report-app ") &&
                                  ContainsSubstring("/* mutation-test-report-app */"));
  std::vector<model::MutantResult> results(20'001, result("m", Verdict::Killed));
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i].mutant.id = std::to_string(i);
  const std::string many = write(directory, "many.json", mutation_of(std::move(results)));
  const Result plain = run_report({many, "--no-terminal", "--html", page, "--viewer", viewer});
  CHECK(plain.code == 0);
  CHECK(plain.err ==
        "note: " + page + ": a plain page, for these are too many mutants for the viewer\n");
  CHECK_THAT(read_file(page), !ContainsSubstring("<mutation-test-report-app "));
}

TEST_CASE("Wrong arguments for mutation results are exit 2, with a message", "[report]") {
  const TemporaryFolder directory;
  const auto fails = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Result failed = run_report(arguments);
    INFO(message);
    CHECK(failed.code == 2);
    CHECK(failed.out.empty());
    CHECK_THAT(failed.err, ContainsSubstring(message));
  };
  const std::string good = data("mutation/reduce/mutation.json");
  fails({good, data("reduce/coverage.json"), "--threshold", "80"},
        "--threshold is for results of one kind");
  fails({good, "--lcov", "x"}, "--lcov is for results of coverage, and these are of mutation");
  fails({good, "--cobertura", "x"},
        "--cobertura is for results of coverage, and these are of mutation");
  fails({data("reduce/coverage.json"), "--viewer", "x"}, "--viewer is for results of mutation");
  for (const char* threshold : {"101", "-1", "nan", "branch=80", "", "80 "})
    fails({good, "--threshold", threshold}, "give one PERCENT");
  fails({good, "--threshold", "80", "--threshold", "90"}, "give one PERCENT");
  fails({good, "--viewer", "/no/such"}, "give --html too");
  fails({good, "--html", "x", "--viewer", "/no/such"}, "/no/such: error: is not a mutation-test-");
  fails({good, "--html", "x", "--viewer", good}, "is not a mutation-test-elements.js");
  const std::string wrong =
      directory.write("m.json", R"({"schemaVersion": "2", "files": {}})").string();
  fails({wrong}, wrong + ": error: key 'gputest' is missing");
}
