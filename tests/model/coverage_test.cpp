#include "model/coverage.h"

#include "tests/catch.h"
#include "tests/model/coverage_builder.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace gputest::model;
using namespace gputest::tests;

namespace {

bool is(const Tally& tally, std::uint64_t covered, std::uint64_t total) {
  return tally.covered == covered && tally.total == total;
}

// Two of each criterion, not all of it covered.
Coverage sample_coverage() {
  Coverage coverage = coverage_of({
      site(Criterion::Statement, "", "a;", {{"executed", 2}}),
      site(Criterion::Statement, "", "b;", {{"executed", 0}}),
      site(Criterion::Branch, "if", "a", {{"true", 1}, {"false", 0}}),
      site(Criterion::Branch, "loop", "b", {{"true", 3}, {"false", 1}}),
      site(Criterion::Branch, "switch", "case 1", {{"taken", 0}}),
      site(Criterion::Condition, "", "a", {{"true", 0}, {"false", 0}}),
      site(Criterion::Condition, "", "b", {{"true", 1}, {"false", 0}}),
      site(Criterion::Loop, "for", "f", {{"zero", 0}, {"one", 1}, {"many", 2}, {"boundary", 2}}),
      site(Criterion::Loop, "do", "d", {{"one", 1}, {"many", 0}, {"boundary", 1}}),
      site(Criterion::Barrier, "", "x", {{"executed", 1}}),
      site(Criterion::Barrier, "", "y", {{"executed", 1}}),
      site(Criterion::Barrier, "", "z", {{"executed", 0}}),
  });
  coverage.divergent_barriers = {divergent(coverage.sites[10].site)};
  coverage.not_instrumented = {{.file = "k.cl",
                                .line = 9,
                                .column = 1,
                                .function = "k",
                                .construct = "vector condition",
                                .reason = "its components may disagree"}};
  coverage.not_counted = {loop_not_counted("the loop always runs more than once")};
  coverage.cases = {
      {.name = "small", .verdict = CaseVerdict::Passed, .message = "", .seconds = 0.5},
      {.name = "big", .verdict = CaseVerdict::Failed, .message = "two\nlines", .seconds = 1}};
  return coverage;
}

} // namespace

TEST_CASE("each criterion is tallied by its definition") {
  const Criteria criteria = tally(sample_coverage());
  CHECK(is(criteria.statement, 1, 2));
  CHECK(is(criteria.branch, 3, 5));
  REQUIRE(criteria.branch_kinds.size() == 3);
  CHECK(is(criteria.branch_kinds.at("if"), 1, 2));
  CHECK(is(criteria.branch_kinds.at("loop"), 2, 2));
  CHECK(is(criteria.branch_kinds.at("switch"), 0, 1));
  CHECK(is(criteria.condition, 1, 4));
  CHECK(criteria.loop.total == 2);
  CHECK(criteria.loop.zero == 0);
  CHECK(criteria.loop.one == 2);
  CHECK(criteria.loop.many == 1);
  CHECK(criteria.loop.boundary == 2);
  CHECK(is(criteria.loop.cases, 5, 7)); // a do loop cannot run zero times
  CHECK(is(criteria.barrier, 1, 3));    // one is divergent, one was not reached
  CHECK(&criteria.of(Criterion::Statement) == &criteria.statement);
  CHECK(&criteria.of(Criterion::Branch) == &criteria.branch);
  CHECK(&criteria.of(Criterion::Condition) == &criteria.condition);
  CHECK(&criteria.of(Criterion::Loop) == &criteria.loop.cases);
  CHECK(&criteria.of(Criterion::Barrier) == &criteria.barrier);
}

namespace {

// A template's branch that is taken in one instantiation and not in the other.
Coverage sample_template() {
  Coverage coverage =
      coverage_of({site(Criterion::Branch, "if", "x < 0", {{"true", 1}, {"false", 1}})});
  SiteCoverage& entry = coverage.sites[0];
  entry.site.function = "scale";
  entry.site.id = "scale.branch.1234";
  entry.instances = {{.function = "scale<float>", .hits = {1, 0}},
                     {.function = "scale<int>", .hits = {0, 1}}};
  return coverage;
}

} // namespace

TEST_CASE("what is made of a template is merged, or shown by itself") {
  Coverage coverage = sample_template();
  CHECK(is(tally(shown(coverage)).branch, 2, 2));
  CHECK(to_json(coverage)["criteria"]["branch"]["covered"] == 2);
  coverage.apart = true;
  const Coverage apart = shown(coverage);
  REQUIRE(apart.sites.size() == 2);
  CHECK(apart.sites[0].site.id == "scale<float>.branch.1234");
  CHECK(apart.sites[1].site.function == "scale<int>");
  CHECK(is(tally(apart).branch, 2, 4));
  const auto json = to_json(coverage);
  CHECK(json["criteria"]["branch"]["total"] == 4);
  const Coverage read = coverage_from_json(json);
  CHECK(read.apart);
  CHECK(to_json(read) == json);
  CHECK(shown(read).sites[1].hits == std::vector<std::uint64_t>{0, 1});

  auto broken = json;
  broken["sites"][0]["instances"][0]["outcomes"] = {{"taken", 1U}};
  CHECK_THROWS_WITH(coverage_from_json(broken), ContainsSubstring("are not those of its site"));
  broken = json;
  broken["instantiations"] = "both";
  CHECK_THROWS_WITH(coverage_from_json(broken), ContainsSubstring("unknown value 'both'"));
}

TEST_CASE("instantiations merge by their names") {
  Coverage coverage = sample_template();
  Coverage other = sample_template();
  other.sites[0].instances[1].function = "scale<char>";
  merge(coverage, other);
  REQUIRE(coverage.sites.size() == 1);
  const std::vector<InstanceCoverage>& all = coverage.sites[0].instances;
  REQUIRE(all.size() == 3);
  CHECK(all[0].hits == std::vector<std::uint64_t>{2, 0});
  CHECK(all[1].hits == std::vector<std::uint64_t>{0, 1});
  CHECK(all[2].function == "scale<char>");
}

TEST_CASE("a barrier is divergent in its own file only") {
  Coverage coverage = coverage_of({site(Criterion::Barrier, "", "x", {{"executed", 1}})});
  SiteCoverage other = coverage.sites[0];
  other.site.file = "other.cl"; // a kernel of the same name, a barrier of the same id
  coverage.sites.push_back(other);
  coverage.divergent_barriers = {divergent(other.site)};
  CHECK(is(tally(coverage).barrier, 1, 2));
}

TEST_CASE("nothing to cover is no percentage and misses no threshold") {
  const Criteria criteria = tally(coverage_of({}));
  Thresholds thresholds;
  for (const Criterion criterion : kCriteria) {
    CHECK(is(criteria.of(criterion), 0, 0));
    CHECK_FALSE(criteria.of(criterion).percent());
    thresholds.percent[criterion] = 100;
  }
  CHECK(missed(criteria, thresholds).empty());
}

TEST_CASE("a threshold is missed below it, not at it") {
  const Criteria criteria = tally(sample_coverage());
  CHECK(*criteria.branch.percent() == Approx(60));
  CHECK(missed(criteria, {{{Criterion::Branch, 60}}}).empty());
  CHECK(missed(criteria, {{{Criterion::Branch, 0}, {Criterion::Statement, 50}}}).empty());
  const auto misses = missed(criteria, {{{Criterion::Branch, 60.1}, {Criterion::Loop, 75}}});
  REQUIRE(misses.size() == 2);
  CHECK(misses[0].criterion == Criterion::Branch);
  CHECK(misses[0].required == 60.1);
  CHECK(misses[0].reached == Approx(60));
  CHECK(misses[1].criterion == Criterion::Loop);
  CHECK(misses[1].reached == Approx(100.0 * 5 / 7));
}

TEST_CASE("coverage.json reads back as it was written") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "coverage.json";
  const Coverage coverage = sample_coverage();
  write_coverage(coverage, file);
  const Coverage read = read_coverage(file);
  CHECK(to_json(read) == to_json(coverage));

  CHECK(read.name == "k");
  CHECK(read.kernel == "k");
  CHECK(read.device == "device");
  CHECK(read.source == "k.cl");
  REQUIRE(read.sites.size() == coverage.sites.size());
  for (std::size_t i = 0; i < read.sites.size(); ++i) {
    CHECK(read.sites[i].site == coverage.sites[i].site);
    CHECK(read.sites[i].hits == coverage.sites[i].hits);
  }
  CHECK(read.not_instrumented == coverage.not_instrumented);
  CHECK(read.not_counted == coverage.not_counted);
  REQUIRE(read.divergent_barriers.size() == 1);
  const DivergentBarrier &before = coverage.divergent_barriers[0],
                         &after = read.divergent_barriers[0];
  CHECK(after.barrier.id == before.barrier.id);
  CHECK(after.barrier.file == before.barrier.file);
  CHECK(after.decision.text == "i < n");
  CHECK(after.decision.column == 7);
  CHECK(after.group == 4);
  CHECK(after.test_case == "small");
  REQUIRE(read.cases.size() == 2);
  CHECK(read.cases[1].message == "two\nlines");
  CHECK(read.cases[1].seconds == 1);
}

TEST_CASE("coverage.json holds the tallies as documented") {
  const auto criteria = to_json(sample_coverage())["criteria"];
  CHECK(criteria["branch"]["covered"] == 3);
  CHECK(criteria["branch"]["kinds"]["if"]["total"] == 2);
  CHECK(criteria["loop"]["total"] == 2);
  CHECK(criteria["loop"]["one"] == 2);
  CHECK(criteria["loop"]["covered"] == 5);
  CHECK(criteria["loop"]["applicable"] == 7);
  CHECK(to_json(coverage_of({}))["criteria"]["barrier"]["total"] == 0);
}

TEST_CASE("what is wrong in a coverage.json is named with its file and key") {
  const TemporaryFolder folder;
  const auto refusal = [&](const auto& change) {
    auto json = to_json(sample_coverage());
    change(json);
    const auto file = folder.write("coverage.json", json.dump());
    const std::string message = message_of<FormatError>([&] { read_coverage(file); });
    CHECK_THAT(message, StartsWith(file.string() + ": error: "));
    return message;
  };
  CHECK_THAT(refusal([](auto& json) { json.erase("kernel"); }),
             ContainsSubstring("key 'kernel' is missing"));
  CHECK_THAT(refusal([](auto& json) { json["device"] = 3; }),
             ContainsSubstring("key 'device' has the wrong type: 3"));
  CHECK_THAT(refusal([](auto& json) { json["sites"] = "none"; }),
             ContainsSubstring("key 'sites' is not an array"));
  CHECK_THAT(refusal([](auto& json) { json["sites"][0]["line"] = -1; }),
             ContainsSubstring("key 'line' has the wrong value: -1"));
  CHECK_THAT(refusal([](auto& json) { json["sites"][0]["line"] = 4294967296; }),
             ContainsSubstring("key 'line' has the wrong value: 4294967296"));
  CHECK_THAT(refusal([](auto& json) { json["sites"][0]["line"] = 1.5; }),
             ContainsSubstring("key 'line' has the wrong value: 1.5"));
  CHECK_THAT(refusal([](auto& json) { json["sites"][0]["outcomes"]["executed"] = -1; }),
             ContainsSubstring("not a number: -1"));
  CHECK_THAT(refusal([](auto& json) { json["sites"][0]["criterion"] = "brunch"; }),
             ContainsSubstring("'brunch'"));
  CHECK_THAT(refusal([](auto& json) { json["divergent_barriers"][0].erase("decision"); }),
             ContainsSubstring("key 'decision' is missing"));
  CHECK_THAT(refusal([](auto& json) { json["format"] = "gputest-sites-1"; }),
             ContainsSubstring("format is 'gputest-sites-1', expected 'gputest-coverage-1'"));
}
