#include "report/common/line_hashes.h"
#include "report/common/site.h"
#include "report/mutation/outputs.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"

#include <map>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;
using Json = nlohmann::ordered_json;

namespace {

Json run_of(const std::vector<model::Mutation>& kernels) {
  const Json json = Json::parse(sarif(make_mutation_report(kernels, ""), "/root/of it"));
  CHECK(json.at("version") == "2.1.0");
  REQUIRE(json.at("runs").size() == 1);
  return json.at("runs").at(0);
}

std::string uri_of(const std::string& file) {
  model::MutantResult survivor = result("m", Verdict::Survived);
  survivor.mutant.file = file;
  const Json run = run_of({mutation_of({survivor})});
  const Json location = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  const Json& artifact = location.at("artifactLocation");
  return artifact.value("uriBaseId", "") + ":" + artifact.at("uri").get<std::string>();
}

} // namespace

TEST_CASE("SARIF has what was not noticed", "[report]") {
  std::vector<model::MutantResult> results;
  for (int i = 0; i <= static_cast<int>(Verdict::NotRun); ++i)
    results.push_back(result("m" + std::to_string(i), static_cast<Verdict>(i), 2));
  results[1].mutant.operators = {"barrier_deletion", "sync_removal"};
  results[1].reached_by = {"small"};
  const Json run = run_of({mutation_of(results)});
  std::vector<std::string> found;
  for (const Json& entry : run.at("results"))
    found.push_back(entry.at("properties").at("verdict").get<std::string>() + " " +
                    entry.at("level").get<std::string>());
  CHECK(found == std::vector<std::string>{"survived warning", "no_coverage note",
                                          "undecided warning", "ignored warning"});
  for (const Json& rule : run.at("tool").at("driver").at("rules"))
    CHECK(rule.at("helpUri") == page_of_site("operator-" + rule.at("id").get<std::string>()));

  const Json& survivor = run.at("results").at(0);
  const Json& rules = run.at("tool").at("driver").at("rules");
  CHECK(survivor.at("ruleId") == "barrier_deletion");
  CHECK(rules.at(survivor.at("ruleIndex").get<std::size_t>()).at("id") == "barrier_deletion");
  CHECK(survivor.at("message").at("text") == "'<' → '<=' survived (1 case reached it)");
  CHECK(survivor.at("partialFingerprints").at("gputestMutant/v1") == "k/m1");
  CHECK(survivor.at("locations").at(0).at("physicalLocation").at("region") ==
        Json{{"startLine", 2}, {"startColumn", 1}, {"endLine", 2}, {"endColumn", 2}});
  for (const Json& rule : rules)
    CHECK_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
}

TEST_CASE("SARIF says what a time limit left out, and has it among no results", "[report]") {
  model::Mutation kernel =
      mutation_of({result("m", Verdict::NotRun), result("n", Verdict::Killed)});
  kernel.time_limit = 600.0012; // a share
  const Json run = run_of({kernel});
  CHECK(run.at("results").empty());
  CHECK(
      run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text") ==
      "k: 1 mutant not run: the time limit of 600 s was over");
  CHECK_FALSE(run_of({mutation_of({result("n", Verdict::Killed)})}).contains("invocations"));
}

TEST_CASE("SARIF counts columns in UTF-16 units", "[report]") {
  const Json run =
      run_of({mutation_of({result("m", Verdict::Survived, 1, 6)}, "\xF0\x9F\x98\x80 a < b\n")});
  CHECK(run.at("columnKind") == "utf16CodeUnits");
  const Json& location = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  CHECK(location.at("region").at("startColumn") == 4);
}

TEST_CASE("SARIF's file names are URIs, relative where that can be", "[report]") {
  CHECK(uri_of("src/a.cl") == "SRCROOT:src/a.cl");
  CHECK(uri_of("./src/../src/a b%#ä.cl") == "SRCROOT:src/a%20b%25%23%C3%A4.cl");
  CHECK(uri_of("/root/of it/src/a.cl") == "SRCROOT:src/a.cl");
  CHECK(uri_of("/elsewhere/a.cl") == ":file:///elsewhere/a.cl");
}

TEST_CASE("Fingerprints tell kernels apart and survive moved lines", "[report]") {
  model::Mutation first = mutation_of({result("m", Verdict::Survived, 1)}), second = first;
  second.name = "other";
  const Json run = run_of({first, second});
  const auto fingerprint = [](const Json& of, std::size_t i) {
    return of.at("results").at(i).at("partialFingerprints").at("gputestMutant/v1");
  };
  CHECK(fingerprint(run, 0) != fingerprint(run, 1));
  CHECK(fingerprint(run_of({mutation_of({result("m", Verdict::Survived, 99)})}), 0) ==
        fingerprint(run, 0));
}

TEST_CASE("SARIF has as many results as GitHub takes, those that matter most", "[report]") {
  std::vector<model::MutantResult> results;
  for (const Verdict verdict : {Verdict::Ignored, Verdict::NoCoverage, Verdict::Survived})
    for (int i = 0; i < 9'000; ++i)
      results.push_back(result(std::to_string(results.size()), verdict));
  const Json run = run_of({mutation_of(std::move(results))});
  std::map<std::string, int> kept;
  for (const Json& entry : run.at("results"))
    ++kept[entry.at("properties").at("verdict").get<std::string>()];
  CHECK(kept == std::map<std::string, int>{
                    {"survived", 9'000}, {"no_coverage", 9'000}, {"ignored", 7'000}});
  CHECK(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message") ==
        Json{{"text", "2000 of 27000 results are left out: GitHub takes 25000 of a run"}});
}

// Texts and hashes of the tests of GitHub's action for uploads.
TEST_CASE("SARIF has the hashes of lines that GitHub's action makes", "[report]") {
  using Hashes = std::vector<std::string>;
  CHECK(line_hashes("") == Hashes{"c129715d7a2bc9a3:1"});
  CHECK(line_hashes(" a\nb\n  \t\tc\n d") == Hashes{"271789c17abda88f:1", "54703d4cd895b18:1",
                                                    "180aee12dab6264:1", "a23a3dc5e078b07b:1"});
  const Hashes ended{"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1",
                     "e20e36e16fcb0cc8:1", "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1",
                     "c129715d7a2bc9a3:1"};
  CHECK(line_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n") == ended);
  CHECK(line_hashes(" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n") == ended);
  std::string repeated;
  for (int i = 0; i < 10; ++i)
    repeated += "Lorem ipsum dolor sit amet.\n";
  const Hashes lines = line_hashes(repeated);
  REQUIRE(lines.size() == 11);
  CHECK(lines[0] == "a7f2ff13bc495cf2:1");
  CHECK(lines[5] == "a7f2ff13bc495cf2:6");
  CHECK(lines[6] == "a7f2ff1481e87703:1");
  CHECK(line_hashes("\xC3\xA4\n") != line_hashes("a\n")); // one unit, as all of these
  CHECK(line_hashes("\xC3\n") == line_hashes("\xEF\xBF\xBD\n"));
}

TEST_CASE("SARIF has the hash of a mutant's line in the text that was tested", "[report]") {
  model::Mutation kernel = mutation_of({result("m", Verdict::Survived, 2)});
  const auto hash = [&] {
    const Json run = run_of({kernel});
    return run.at("results").at(0).at("partialFingerprints").value("primaryLocationLineHash", "");
  };
  kernel.sources = {{kernel.source, "a\nb < c\n"}};
  const std::string of_line = hash();
  CHECK(of_line == line_hashes("a\nb < c\n")[1]);
  kernel.sources = {{kernel.source, "another line\n  b  <  c\n"}};
  CHECK(hash() == of_line);
  kernel.sources.clear();
  CHECK(hash().empty());
}
