#include "report/common/site.h"
#include "report/mutation/outputs.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/fixtures.h"

#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;

namespace {

std::string page_of(model::Mutation kernel) {
  return mutation_page(make_mutation_report({std::move(kernel)}, ""), "").main;
}

// The row of a line of the first file.
std::string row(const std::string& page, unsigned line) {
  const std::size_t begin = page.find("<tr id=\"f0-L" + std::to_string(line) + "\"");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("</tr>", begin) - begin);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

// What the page's script shows on demand.
nlohmann::json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"mutants\">";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

} // namespace

TEST_CASE("A mutation page needs nothing but itself", "[report]") {
  const std::string page = page_of(mutation_of({result("m", Verdict::Survived)}, "a < b\n"));
  for (const char* part : {"{{", "http:", "url(", " src=", "@import"})
    CHECK(page.find(part) == std::string::npos);
  // It links to what an operator does, and to nothing else.
  const std::string help = page_of_site("operator-relational_replacement");
  CHECK(page.find("<a href=\"" + help + "\">relational_replacement</a>") != std::string::npos);
  CHECK(page.find("https:") == page.find(help));
  CHECK(page.rfind("https:") == page.rfind(help));
}

TEST_CASE("Reports say above the score that the test of a program has no oracle", "[report]") {
  model::Mutation program = mutation_of({result("m", Verdict::Survived)}, "a < b\n");
  program.oracle = "exit code";
  const std::string said = "k: this test has no oracle: ";
  for (const bool is_judged : {false, true}) {
    if (is_judged) {
      program.results.push_back(result("n", Verdict::Killed));
      program.results.back().reason = model::KillReason::ProgramFailed;
    }
    const std::string page = page_of(program),
                      text = mutation_terminal(make_mutation_report({program}, ""), false);
    CHECK((page.find(said) < page.find("class=\"cards\"")) == !is_judged);
    CHECK((text.find(said) < text.find("operator")) == !is_judged);
    CHECK_THAT(page, ContainsSubstring("oracle: exit code"));
    CHECK_THAT(text, ContainsSubstring("; oracle: exit code"));
  }
}

TEST_CASE("Lines say how many of their mutants were noticed, and which were not", "[report]") {
  model::MutantResult survivor = result("s", Verdict::Survived, 1, 3, "<", "<=");
  survivor.reached_by = {"one"};
  const std::string page = page_of(
      mutation_of({result("k", Verdict::Killed, 1), survivor, result("u", Verdict::Undecided, 1),
                   result("n", Verdict::NoCoverage, 1), result("k", Verdict::Killed, 2),
                   result("n", Verdict::NoCoverage, 3), result("e", Verdict::Equivalent, 4)},
                  "a < b\nc\nd\ne\nf\n"));
  CHECK_THAT(
      row(page, 1),
      ContainsSubstring("class=\"partial\" data-gap") && ContainsSubstring(">1/4</button>") &&
          ContainsSubstring("4 mutants: 1 killed, 1 survived, 1 no coverage, 1 undecided") &&
          ContainsSubstring("<span class=\"um\">&lt;</span>") &&
          ContainsSubstring("<p class=\"note missing\"><span class=\"by\">relational_replacement:"
                            "</span> <code>&lt;</code> → <code>&lt;=</code> survived (1 case "
                            "reached it)</p>") &&
          ContainsSubstring("<p class=\"note undecided\">") &&
          ContainsSubstring("no case reaches 1 mutant"));
  CHECK_THAT(row(page, 2), ContainsSubstring("class=\"covered\"") &&
                               ContainsSubstring(">1/1</button>") && !ContainsSubstring("note"));
  CHECK_THAT(row(page, 3), ContainsSubstring("class=\"missed\" data-gap") &&
                               ContainsSubstring(">0/1</button>") && !ContainsSubstring("note"));
  CHECK_THAT(row(page, 4), ContainsSubstring("class=\"none\"") &&
                               ContainsSubstring(">–</button>") && !ContainsSubstring("note"));
  CHECK_THAT(row(page, 5), ContainsSubstring("<td class=\"c\"></td>"));
}

TEST_CASE("All mutants of a line are in the page's data", "[report]") {
  model::MutantResult killed = result("k", Verdict::Killed, 1, 3);
  killed.killed_by = {"small"};
  killed.reason = model::KillReason::WrongOutput;
  killed.detail = "a differs:\n  here";
  const nlohmann::json data =
      data_of(page_of(mutation_of({killed, result("n", Verdict::NoCoverage, 1, 3)}, "a < b\n")));
  const auto fields = data.at("files").at("0").at("1").get<std::vector<std::size_t>>();
  REQUIRE(fields.size() == 16);
  const auto text = [&](std::size_t i) {
    return data.at("texts").at(fields.at(i)).get<std::string>();
  };
  CHECK(fields[0] == 3);
  CHECK(text(1) == "relational_replacement");
  CHECK(data.at("verdicts").at(fields[2]) == "killed");
  CHECK(text(3) == "<");
  CHECK(text(4) == "<=");
  CHECK(text(5) == "killed in case 'small': wrong output; a differs: here");
  CHECK(fields[6] == 0);
  CHECK(text(7) == "k");
  CHECK(data.at("names").at("0") == "k.cl");
  CHECK(fields[9] == fields[1]); // the same text is there once
  CHECK(data.at("verdicts").at(fields[10]) == "no_coverage");
}

TEST_CASE("A page of many mutants stays small", "[report]") {
  std::vector<model::MutantResult> results;
  for (unsigned i = 0; i < 30'000; ++i) {
    results.push_back(
        result("m", i % 100 < 30 ? Verdict::Survived : Verdict::Killed, 1 + i / 1000));
    results.back().detail = std::string(100, 'x');
  }
  const std::string page = page_of(mutation_of(results, "a\nb\nc\n"));
  CHECK(page.size() < 2'000'000);
  CHECK(count(page, "<p class=\"note missing\">") == 30 * 6);
  CHECK(count(page, "and 294 more: press the number on the left") == 30);
  CHECK_THAT(page, ContainsSubstring("<summary>9000 mutants that no test case notices</summary>") &&
                       ContainsSubstring("and 8800 more, in the source below"));
  CHECK_FALSE(suits_viewer(make_mutation_report({mutation_of(results)}, "")));
  results.resize(20'000);
  CHECK(suits_viewer(make_mutation_report({mutation_of(results)}, "")));
}

TEST_CASE("A source nobody has still has its lines with mutants", "[report]") {
  model::MutantResult survivor = result("m", Verdict::Survived, 4'000'000'000);
  const std::string page = page_of(mutation_of({survivor}));
  CHECK_THAT(page, ContainsSubstring("The source of <code>k.cl</code> was not found"));
  CHECK_THAT(row(page, 4'000'000'000), ContainsSubstring(">0/1</button>"));
}

TEST_CASE("The summary tells kernels, operators, samples and problems", "[report]") {
  model::Mutation kernel =
      mutation_of({result("a", Verdict::Killed), result("b", Verdict::Survived),
                   result("c", Verdict::Ignored)});
  kernel.results[2].mutant.ignore_reason = "on <purpose>";
  kernel.population = 100;
  kernel.sample_seed = 1;
  kernel.threshold = 80;
  kernel.deterministic = false;
  kernel.not_mutated = {{.file = "k.cl",
                         .line = 9,
                         .column = 2,
                         .function = "k",
                         .construct = "goto",
                         .reason = "why"}};
  CHECK_THAT(page_of(kernel),
             ContainsSubstring("1 of 2 killed") &&
                 ContainsSubstring("a sample of 3 of 100 mutants") &&
                 ContainsSubstring(">relational_replacement</a>") &&
                 ContainsSubstring("a &lt; b → a &lt;= b, a &gt; b") &&
                 ContainsSubstring("the score of 50 % is below the threshold of 80 %") &&
                 ContainsSubstring("does not compute the same each time") &&
                 ContainsSubstring("k.cl:9:2</span> goto not mutated: why") &&
                 ContainsSubstring("ignored: on &lt;purpose&gt;"));
  CHECK_THAT(page_of(mutation_of({})), ContainsSubstring("There are no mutants."));
  CHECK_THAT(page_of(mutation_of({result("a", Verdict::Killed)})),
             ContainsSubstring("Every mutant that counts was noticed."));
  CHECK_THAT(page_of(mutation_of({result("a", Verdict::Equivalent)})),
             !ContainsSubstring("Every mutant that counts was noticed."));
}

TEST_CASE("Whatever mutants hold, the pages' structure is their own", "[report]") {
  const std::string hostile = "</code></script><script>alert(1)</script>\" onload='x' {{css}} \xFF";
  std::vector<model::MutantResult> results;
  for (int i = 0; i <= static_cast<int>(Verdict::Ignored); ++i) {
    model::MutantResult& one =
        results.emplace_back(result(hostile, static_cast<Verdict>(i), 1, 1, hostile, hostile));
    one.mutant.operators = {hostile};
    one.mutant.file = one.mutant.function = one.mutant.ignore_reason = one.detail = one.order =
        hostile;
    one.killed_by = {hostile};
  }
  model::Mutation kernel = mutation_of(results);
  kernel.name = kernel.kernel = kernel.device = kernel.source = kernel.since = hostile;
  kernel.sources = {{hostile, hostile + "\n/* " + hostile}};
  kernel.not_mutated = {{.file = hostile,
                         .line = 1,
                         .column = 0,
                         .function = hostile,
                         .construct = hostile,
                         .reason = hostile}};
  const MutationReport report = make_mutation_report({kernel}, "");
  const std::string page = mutation_page(report, "").main;
  CHECK(count(page, "<script") == 2);
  CHECK(count(page, "</script>") == 2);
  CHECK(page.rfind("onload='x'", page.find("<script")) == std::string::npos); // before the data
  CHECK(page.find('\xFF') == std::string::npos);
  const std::string viewer =
      mutation_viewer(report, "'</script>', '</SCRIPT', '<!--', mutation-test-report-app");
  CHECK(count(viewer, "<script") == 3);
  CHECK(count(viewer, "</script>") == 3);
  CHECK_THAT(viewer, ContainsSubstring(R"('\x3c/script>', '\x3c/SCRIPT', '\x3c!--')"));
}

TEST_CASE("The viewer's page holds the report", "[report]") {
  const MutationReport report =
      make_mutation_report({mutation_of({result("m", Verdict::Survived)}, "a < b\n")}, "T");
  const std::string page = mutation_viewer(report, "the viewer");
  const std::string open = "<script type=\"application/json\" id=\"report\">";
  const std::size_t begin = page.find(open) + open.size();
  CHECK(nlohmann::ordered_json::parse(page.substr(begin, page.find("</script>", begin) - begin)) ==
        nlohmann::ordered_json::parse(model::text_of(report.kernels)));
  CHECK_THAT(page, ContainsSubstring("\nthe viewer\n") && ContainsSubstring("<title>T</title>"));
}
