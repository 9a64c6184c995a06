// Why outcomes stay open that no larger budget reaches.
#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include <set>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::StartsWith;

TEST_CASE("What others would have to do, hashes and counts of decisions have their own ends",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const auto ends = [](const char* kernel) {
    const Folder folder;
    Settings given = settings(folder);
    given.criteria = {gputest::model::Criterion::Branch};
    given.global_size = {4}; // a launch of any size has the same ends
    given.local_size = {2};
    std::set<std::string> reasons;
    for (const OpenGoal& open : generate(target("ends.cl", kernel), given, {}).open)
      reasons.insert(open.why);
    return reasons;
  };
  const auto only = [&](const char* kernel) {
    const std::set<std::string> reasons = ends(kernel);
    REQUIRE(reasons.size() == 1);
    return *reasons.begin();
  };
  CHECK_THAT(only("exchange"), StartsWith("not solved: no argument changes what is decided there"));
  CHECK_THAT(only("raised"), StartsWith("not solved: launches that come there do not end"));
  CHECK_THAT(only("hashed"), ContainsSubstring("behind a hash: 16 multiplications"));
  CHECK(ends("levels").empty()); // fifteen decisions at once
}
