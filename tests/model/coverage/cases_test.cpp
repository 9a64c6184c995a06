#include "model/coverage/cases.h"

#include "tests/catch.h"
#include "tests/model/coverage_builder.h"

#include <map>
#include <random>
#include <vector>

using namespace gputest::model;
using namespace gputest::tests;

namespace {

constexpr std::size_t kOutcomes = 6; // of three sites

// A launch that belongs to a test, and the outcomes that it reached.
struct Reached {
  std::string test;
  unsigned outcomes = 0;
};

Coverage coverage_of_launch(const Reached& launch) {
  Coverage coverage =
      coverage_of({site(Criterion::Branch, "if", "a", {{"true", 0}, {"false", 0}}),
                   site(Criterion::Branch, "if", "b", {{"true", 0}, {"false", 0}}),
                   site(Criterion::Branch, "if", "c", {{"true", 0}, {"false", 0}})});
  std::string digits;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    coverage.sites[i / 2].hits[i % 2] = launch.outcomes >> i & 1U;
    if (i % 4 == 0)
      digits += "0123456789abcdef"[launch.outcomes >> i & 15U];
  }
  coverage.cases = {{launch.test, CaseVerdict::Passed, "", 0, digits}};
  return coverage;
}

} // namespace

TEST_CASE("launches of one test are one case, whatever their number and order") {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Reached> launches;
    std::map<std::string, unsigned> expected;
    for (int i = 0; i < 8; ++i) {
      launches.push_back({std::string(1, static_cast<char>('a' + random() % 3)),
                          static_cast<unsigned>(random() % 64)});
      expected[launches.back().test] |= launches.back().outcomes;
    }
    Coverage all = coverage_of_launch(launches.front());
    for (std::size_t i = 1; i < launches.size(); ++i)
      merge_by_case(all, coverage_of_launch(launches[i]));
    REQUIRE(all.cases.size() == expected.size());
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      std::uint64_t cases = 0;
      for (const auto& [test, outcomes] : expected)
        cases += outcomes >> i & 1U;
      CHECK(all.sites[i / 2].hits[i % 2] == cases);
      for (const CaseRecord& record : all.cases)
        CHECK(reaches(record, i) == ((expected[record.name] >> i & 1U) != 0));
    }
  }
}

TEST_CASE("a test that failed once has failed; of other sites nothing is said") {
  Coverage all = coverage_of_launch({"a", 1});
  Coverage failed = coverage_of_launch({"a", 2});
  failed.cases[0].verdict = CaseVerdict::Failed;
  failed.cases[0].message = "wrong";
  merge_by_case(all, failed);
  merge_by_case(all, coverage_of_launch({"a", 4}));
  REQUIRE(all.cases.size() == 1);
  CHECK(all.cases[0].verdict == CaseVerdict::Failed);
  CHECK(all.cases[0].message == "wrong");
  Coverage other = coverage_of_launch({"b", 1});
  other.sites.pop_back();
  CHECK_FALSE(has_same_sites(all, other));
  merge_by_case(all, other);
  REQUIRE(all.cases.size() == 2);
  CHECK(all.cases[1].reached.empty());
}
