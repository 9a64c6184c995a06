#include "model/coverage.h"
#include "tests/catch.h"
#include "tests/model/coverage_builder.h"

#include <ctime>

using namespace gputest::model;
using namespace gputest::tests;

TEST_CASE("hits of the same site add up, others stay apart") {
  Coverage into = coverage_of({site(Criterion::Branch, "if", "a", {{"true", 1}, {"false", 0}}),
                               site(Criterion::Statement, "", "b;", {{"executed", 1}})});
  Coverage other = coverage_of({site(Criterion::Statement, "", "b;", {{"executed", 2}}),
                                site(Criterion::Branch, "if", "a", {{"true", 3}, {"false", 4}})});
  merge(into, other);
  REQUIRE(into.sites.size() == 2);
  CHECK(into.sites[0].hits == std::vector<std::uint64_t>{4, 4});
  CHECK(into.sites[1].hits == std::vector<std::uint64_t>{3});
}

TEST_CASE("a site is another in another file or function, or with other outcomes") {
  const SiteCoverage original = site(Criterion::Branch, "if", "a", {{"true", 1}, {"false", 1}});
  Coverage other = coverage_of({original, original, original, original});
  other.sites[0].site.file = "other.cl";
  other.sites[1].site.function = "helper";
  other.sites[2].site.id += ".2";
  other.sites[3].site.outcomes[1].name = "taken";
  Coverage into = coverage_of({original});
  merge(into, other);
  CHECK(into.sites.size() == 5);
  merge(into, other); // now all of them are known
  REQUIRE(into.sites.size() == 5);
  CHECK(into.sites[0].hits == std::vector<std::uint64_t>{1, 1});
  for (std::size_t i = 1; i < 5; ++i)
    CHECK(into.sites[i].hits == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("names are joined once; cases and divergences are kept, remarks told once") {
  Coverage into = coverage_of({site(Criterion::Barrier, "", "x", {{"executed", 1}})});
  into.divergent_barriers = {divergent(into.sites[0].site)};
  into.not_instrumented = {{.file = "k.cl",
                            .line = 1,
                            .column = 2,
                            .function = "k",
                            .construct = "goto",
                            .reason = "it jumps"}};
  into.not_counted = {loop_not_counted("the loop always runs more than once")};
  into.cases = {{.name = "small", .verdict = CaseVerdict::Passed, .message = "", .seconds = 0}};
  Coverage other = into;
  other.kernel = "other";
  other.not_instrumented.push_back(into.not_instrumented[0]);
  other.not_instrumented.back().line = 7;
  merge(into, other);
  merge(into, other);
  CHECK(into.kernel == "k, other");
  CHECK(into.device == "device");
  CHECK(into.cases.size() == 3);
  CHECK(into.divergent_barriers.size() == 3);
  REQUIRE(into.not_instrumented.size() == 2);
  CHECK(into.not_instrumented[1].line == 7);
  CHECK(into.not_counted.size() == 1);
}

TEST_CASE("merging takes time in proportion to the sites") {
  std::vector<SiteCoverage> sites;
  for (int i = 0; i < 50000; ++i)
    sites.push_back(site(Criterion::Statement, "", std::to_string(i), {{"executed", 1}}));
  Coverage into = coverage_of(sites);
  const Coverage other = coverage_of(sites);
  const std::clock_t start = std::clock(); // of the processor: other load does not count
  merge(into, other);
  // A search through all sites for each takes minutes, unoptimised.
  CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
  REQUIRE(into.sites.size() == 50000);
  CHECK(into.sites.back().hits == std::vector<std::uint64_t>{2});
}
