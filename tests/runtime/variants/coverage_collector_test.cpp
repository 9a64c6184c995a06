#include "runtime/variants/coverage_collector.h"

#include "gputest/error.h"
#include "runtime/analyses/coverage/text.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

using namespace gputest;
using namespace gputest::runtime;
using model::Criterion;
using tests::contains;

namespace {

model::Site site(std::string id, Criterion criterion, std::string kind, std::string function,
                 unsigned line, std::string text, std::vector<model::Outcome> outcomes) {
  return {std::move(id), criterion, std::move(kind), std::move(function), "k.cl", line, 5,
          line,          9,         std::move(text), std::move(outcomes)};
}

model::SiteTable table() {
  model::SiteTable result;
  result.source = "k.cl";
  result.coverage_words = 2;
  result.divergence_words = 1;
  result.kernels = {{"k", {"k", "helper"}, false}, {"other", {"other"}, false}};
  result.sites = {site("b", Criterion::Branch, "if", "k", 3, "a < b", {{"true", 0}, {"false", 1}}),
                  site("s", Criterion::Branch, "switch", "k", 4, "case 3", {{"taken", 8}}),
                  site("l", Criterion::Loop, "for", "helper", 5, "i < n",
                       {{"zero", 2}, {"one", 3}, {"many", 33}, {"boundary", 4}}),
                  site("bar", Criterion::Barrier, "", "k", 6, "barrier(CLK_LOCAL_MEM_FENCE)",
                       {{"executed", 5}}),
                  site("o", Criterion::Branch, "if", "other", 9, "x", {{"true", 6}, {"false", 7}})};
  result.votes = {{0, "k", "k.cl", 2, 3, "gid >= n", {"bar"}}};
  result.not_instrumented = {{"k.cl", 8, 1, "k", "goto", "it enters a loop"},
                             {"k.cl", 9, 1, "other", "goto", "it enters a loop"}};
  return result;
}

} // namespace

TEST_CASE("hits are the number of cases that reached an outcome") {
  CoverageCollector collector(table(), "k");
  collector.add({{1 << 0 | 1 << 2, 1 << 1}, {0}}, "first");
  collector.add({{1 << 0, 0}, {0}}, "second");
  const model::Coverage& coverage = collector.coverage();
  REQUIRE(coverage.sites.size() == 4); // not those of 'other'
  CHECK(coverage.sites[0].hits == std::vector<std::uint64_t>{2, 0});
  CHECK(coverage.sites[2].hits == std::vector<std::uint64_t>{1, 0, 1, 0});
  CHECK(coverage.not_instrumented.size() == 1);
  CHECK_THROWS_AS(CoverageCollector(table(), "none"), UsageError);
}

TEST_CASE("the summary says what is missing, where, and what to do") {
  CoverageCollector collector(table(), "k");
  collector.add({{1 << 0 | 1 << 2 | 1 << 5, 0}, {8}}, "first");
  collector.add({{0, 0}, {9}}, "second"); // the same barrier and decision: one report
  model::Coverage& coverage = collector.coverage();
  coverage.device = "test device";
  REQUIRE(coverage.divergent_barriers.size() == 1);
  CHECK(coverage.divergent_barriers[0].group == 7);
  CHECK(coverage.divergent_barriers[0].test_case == "first");

  const std::string text =
      coverage_text(coverage, {{{Criterion::Branch, 80}, {Criterion::Condition, 90}}});
  CHECK(contains(text, "k.cl:3:5: note: branch 'a < b' was never false\n"));
  CHECK_FALSE(contains(text, "was never true"));
  CHECK(contains(text, "k.cl:4:5: note: switch label 'case 3' was never taken\n"));
  CHECK(contains(text, "k.cl:5:5: note: loop 'i < n' never ran exactly once\n"));
  CHECK(contains(text,
                 "k.cl:5:5: note: loop 'i < n' never ended because its condition became false\n"));
  CHECK(contains(text, "k.cl:6:5: error: divergent barrier: work-items of group 7 parted at k.cl:2 "
                       "'gid >= n' in case 'first'\n"));
  CHECK(contains(text, "k.cl:8:1: warning: goto is not instrumented: it enters a loop\n"));
  CHECK(contains(text, "error: branch coverage is 33.3 % (1 of 3), 80 % are required\n"));
  CHECK_FALSE(contains(text, "condition coverage is")); // there is none to cover
  CHECK(contains(text, "condition       -    there is none"));
}
