// CUDA kernels whose conditions are about what threads told each other.
#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"

#include "testgen/solve/z3_process.h"

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

TEST_CASE("Branches on shuffles, votes and matches are reached") {
  if (solver_program().empty())
    return;
  struct Expected {
    const char* kernel;
    std::size_t solved; // outcomes that inputs do not have by chance
  };
  for (const auto& [kernel, solved] :
       {Expected{"of_a_warp", 4}, Expected{"of_a_block", 2}, Expected{"of_a_part", 3}}) {
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
