// CUDA kernels whose conditions are about what threads told each other.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include "testgen/solve/z3_process.h"

#include <nlohmann/json.hpp>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

TEST_CASE("Branches on shuffles, votes and matches are reached", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  struct Expected {
    const char* kernel;
    std::size_t solved; // outcomes that inputs do not have by chance
  };
  for (const auto& [kernel, solved] :
       {Expected{"of_a_warp", 4}, Expected{"of_a_block", 1}, Expected{"of_a_part", 3}}) {
    if (std::string_view(kernel) == "of_a_warp" && !gputest::tests::is_long_run())
      continue; // the longest; the other two have its kinds of values
    INFO(kernel);
    const Folder folder;
    const Target of = target("warps.cu", kernel);
    Settings given = settings(folder);
    given.seconds = 120;
    const Generated generated = generate(of, given, {});
    std::string open;
    for (const OpenGoal& goal : generated.open)
      open += message_of(goal.goal, of.sites) + ": " + goal.why + "\n";
    CHECK(open == "");
    CHECK(generated.reached == generated.goals.size());
    CHECK(generated.by_search + generated.by_z3 >= solved);
  }
}

TEST_CASE("An input with which not all threads of a mask come to a shuffle is no test") {
  const Folder folder;
  const Target of = target("warps.cu", "not_all_come");
  const Generated generated = generate(of, settings(folder), {});
  REQUIRE(generated.guards.size() == 1);
  CHECK(generated.guards[0].finding.kind == "divergent_warp");
  CHECK(generated.guards[0].finding.site.line == 61);
  REQUIRE(generated.blocked.size() == 1);
  CHECK_THAT(generated.blocked[0].why,
             gputest::tests::StartsWith("only inputs reach it with which the kernel is at fault"));
  for (const Written& written : generated.written) {
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    CHECK((json["arguments"]["apart"] == 0 || json["local_size"][0] == 1));
  }
}
