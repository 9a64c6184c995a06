#include "report/common/inputs.h"
#include "report/common/mutant_text.h"
#include "report/mutation/report.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;

TEST_CASE("Parts of a kernel merge, kernels stay apart", "[report]") {
  model::Mutation part = mutation_of({result("a", Verdict::Killed)}),
                  another = mutation_of({result("b", Verdict::Survived)}), other = part;
  other.name = "other";
  const MutationReport report = make_mutation_report({other, part, another}, "");
  REQUIRE(report.kernels.size() == 2);
  CHECK(label_of(report.kernels[0]) == "k");
  CHECK(report.kernels[0].results.size() == 2);
  CHECK(label_of(report.kernels[1]) == "k (other)");
  CHECK(report.title == "Mutants of 2 kernels");
  CHECK(tally(report).total == 3);
  CHECK(score_of(tally(report)).covered == 2);
  CHECK(make_mutation_report({part}, "").title == "Mutants of k");
  CHECK(make_mutation_report({part}, "t").title == "t");
}

TEST_CASE("Different kernels under one name stay apart", "[report]") {
  model::Mutation first = mutation_of({result("a", Verdict::Killed)}), second = first;
  second.kernel = "other";
  const MutationReport report = make_mutation_report({first, second}, "");
  REQUIRE(report.kernels.size() == 2);
  CHECK(report.kernels[0].name == "k");
  CHECK(report.kernels[1].name == "k-2");
}

TEST_CASE("Mutants are in order of place, those of the launch at the kernel", "[report]") {
  model::MutantResult launch = result("launch", Verdict::Survived, 0, 0);
  launch.mutant.kind = model::MutantKind::Launch;
  launch.mutant.file = "";
  const MutationReport report =
      make_mutation_report({mutation_of({result("late", Verdict::Killed, 9),
                                         result("early", Verdict::Killed, 1), launch},
                                        "\n\nkernel void k() {}\n")},
                           "");
  std::vector<std::string> ids;
  for (const Entry& entry : entries_of(report))
    ids.push_back(entry.result->mutant.id + ":" + std::to_string(entry.place.line) + ":" +
                  std::to_string(entry.place.column));
  CHECK(ids == std::vector<std::string>{"early:1:1", "launch:3:13", "late:9:1"});
}

TEST_CASE("Texts that mutation.json lacks are read from the source tree", "[report]") {
  const TemporaryFolder directory;
  directory.write("k.cl", "text\r\nof it\n");
  directory.write("known.cl", "not this");
  model::MutantResult known = result("b", Verdict::Killed), missing = result("c", Verdict::Killed);
  known.mutant.file = "known.cl";
  missing.mutant.file = "missing.cl";
  model::Mutation kernel = mutation_of({result("a", Verdict::Killed), known, missing});
  kernel.sources = {{"known.cl", "this"}};
  MutationReport report = make_mutation_report({kernel}, "");
  add_sources(report, {.roots = {directory.path()}});
  CHECK(report.kernels[0].sources ==
        std::map<std::string, std::string>{{"k.cl", "text\nof it\n"}, {"known.cl", "this"}});
}

TEST_CASE("What a file of results holds is read off its content", "[report]") {
  const TemporaryFolder directory;
  const auto kind = [&](const std::string& text) {
    return find_inputs(model::analyses(), {directory.write("x.json", text).string()})
        .front()
        .analysis->name;
  };
  CHECK(kind(R"({"schemaVersion": "2", "files": {}})") == "mutation");
  CHECK(kind(R"({"files": {"a": {"format": "x"}}, "schemaVersion": "2"})") == "mutation");
  CHECK(kind(R"({"format": "gputest-coverage-1", "schemaVersion": "2"})") == "coverage");
  CHECK(kind(R"({"x": {"schemaVersion": "2"}})") == "coverage");
  CHECK(kind(R"([{"schemaVersion": "2"}])") == "coverage");
  CHECK(kind("{") == "coverage");
  CHECK(kind("") == "coverage");
}

TEST_CASE("Directories are searched for mutation.json too, and kinds are told apart", "[report]") {
  const TemporaryFolder directory;
  const auto mutation = directory.write("a/mutation.json", R"({"schemaVersion": "2"})");
  directory.write("a/mutants.json", "{}");
  const auto inputs = [&] { return find_inputs(model::analyses(), {directory.path().string()}); };
  REQUIRE(inputs().size() == 1);
  CHECK(inputs()[0].analysis->name == "mutation");
  CHECK(inputs()[0].files == std::vector<std::filesystem::path>{mutation});
  const auto coverage = directory.write("a/k.coverage.json", R"({"format": "gputest-coverage-1"})");
  REQUIRE(inputs().size() == 2);
  CHECK(inputs()[0].files == std::vector<std::filesystem::path>{coverage});
  CHECK(inputs()[1].files == std::vector<std::filesystem::path>{mutation});
}

TEST_CASE("A mutation.json that is wrong is named", "[report]") {
  const TemporaryFolder directory;
  const auto file = directory.write("m.json", R"({"schemaVersion": "2"})");
  CHECK_THROWS_WITH(read_mutation_report({file}, ""),
                    file.string() + ": error: key 'gputest' is missing");
}

TEST_CASE("Of long texts the part around the first difference is told", "[report]") {
  const auto change = [](const std::string& text, const std::string& replacement) {
    return change_text(result("m", Verdict::Killed, 1, 1, text, replacement).mutant, 12);
  };
  using Pair = std::pair<std::string, std::string>;
  CHECK(change("a < b", "a <= b") == Pair{"a < b", "a <= b"});
  CHECK(change("twelve chars", "") == Pair{"twelve chars", ""});
  CHECK(change("abcdefghijklmnopqrstuvwxyz", ";") == Pair{"abcdef…vwxyz", ";"});
  CHECK(change("abcdefghijklmnop + qrstuvw", "abcdefghijklmnop - qrstuvw") ==
        Pair{"…nop +…stuvw", "…nop -…stuvw"});
  CHECK(change("äöüäöüäöüäöü + ä", "äöüäöüäöüäöü - ä") == Pair{"…öü + ä", "…öü - ä"});
  CHECK(change("abcdefghijklmnopqr", "abcdefghijklmnopqrst") == Pair{"…opqr", "…opqrst"});
  CHECK(change("\n\xff", "") == Pair{"␊\xEF\xBF\xBD", ""});
}
