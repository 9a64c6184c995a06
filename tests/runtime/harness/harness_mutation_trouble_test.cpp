// Mutants that compilers and workers die of.
#include "tests/random_count.h"
#include "tests/runtime/driven_project.h"

#include <fmt/format.h>
#include <fstream>

using namespace gputest;
using namespace gputest::tests;

TEST_CASE("a device that cannot build the mutants of one site gets pieces without it",
          "[needs][needs-device]") {
  require_device();
  const auto rejected =
      std::ranges::find_if(Undisturbed::all(), [](const model::MutantResult& one) {
        return one.mutant.kind == model::MutantKind::Switched &&
               one.verdict == model::Verdict::Killed && one.mutant.site > 1;
      });
  REQUIRE(rejected != Undisturbed::all().end());

  // To mutants.cl and what the gputest command writes for that site, or for more with it, `line` is
  // added, which is no OpenCL C, or ends the compiler's process.
  const auto check_pieces = [&](const std::string& line, const std::string& environment,
                                const std::string& said) {
    DrivenProject pieces;
    const std::filesystem::path driver = pieces.folder.write(
        "rejecting",
        fmt::format("#!/bin/sh\n{0} \"$@\" || exit $?\n"
                    "while [ $# -gt 1 ]; do\n  case $1 in\n    --sites) sites=$2;;\n"
                    "    --output) out=$2;;\n  esac\n  shift\ndone\n"
                    "if [ -n \"$sites\" ] && [ ${{sites%-*}} -le {1} ] && [ ${{sites#*-}} -ge "
                    "{1} ]; then\n  echo '{2}' >> $out\nfi\nexit 0\n",
                    GPUTEST_DRIVER, rejected->mutant.site, line));
    std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
    pieces.description["driver"] = driver.string();
    std::ofstream(pieces.folder.path() / "mutants.cl", std::ios::app) << line << '\n';
    const auto result = pieces.run(kFew, environment);
    INFO(result.output);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.output, ContainsSubstring("in one of their own each"));
    CHECK_THAT(result.output, ContainsSubstring(said));
    Undisturbed::check_same(pieces);
  };
  check_pieces("#error rejected", "", "rejected");
  if (!is_long_run()) // of crashes the next case has the other half: each mutant alone
    return;
  check_pieces("/* crash the compiler */", std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER,
               "the device's compiler crashed the process: SIGABRT");
  check_pieces("/* crash at the launch */", std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER,
               "the device's compiler crashed the process: SIGABRT");
}

TEST_CASE("a compiler that dies of everything but single mutants gets these",
          "[needs][needs-device]") {
  require_device();
  DrivenProject alone;
  for (const char* file : {"mutants.cl", "original.cl"})
    std::ofstream(alone.folder.path() / file, std::ios::app) << "/* crash the compiler */\n";
  const auto result = alone.run(kFew, std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("were built in 0 programs"));
  Undisturbed::check_same(alone);
}

TEST_CASE("a mutant whose worker is killed whenever it runs is undecided, and not stored",
          "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), own_program("killed", "mutant-killed.cl"),
                           own_program("unbuilt", "mutant-unbuilt.cl"),
                           own_program("own", "mutant-own.cl")});
  const std::string own = mutation_data("mutant-own.cl");
  project.folder.write("k/mutant-killed.cl", own + "/* killed at the launch */\n");
  project.folder.write("k/mutant-unbuilt.cl", own + "/* killed when it is built */\n");
  project.environment = std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER;
  auto results = project.results();
  for (const char* id : {"killed", "unbuilt"}) {
    INFO(id);
    CHECK(results[id].verdict == model::Verdict::Undecided);
    CHECK_THAT(results[id].detail, ContainsSubstring("killed by SIGKILL, 4 times in a row"));
  }
  CHECK(results["wrong"].verdict == model::Verdict::Killed);
  CHECK(results["own"].verdict == model::Verdict::Killed);
  // What nobody kills is decided.
  project.environment.clear();
  results = project.results();
  CHECK(project.mutation.executed == 2);
  for (const char* id : {"killed", "unbuilt"})
    CHECK(results[id].reason == model::KillReason::WrongOutput);
}

TEST_CASE("a compiler that compiles nothing any more makes no verdict", "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), own_program("full", "mutant-full.cl"),
                           own_program("broken", "mutant-broken.cl")});
  project.folder.write("k/mutant-full.cl",
                       mutation_data("mutant-own.cl") + "/* fills the disk */\n");
  const auto result =
      project.run({"--mutation"}, std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER);
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, ContainsSubstring("is the disk full?"));
  auto results = project.results();
  CHECK(project.mutation.executed == 2);
  CHECK(results["full"].verdict == model::Verdict::Killed);
  CHECK(results["broken"].verdict == model::Verdict::CompileError);
}

TEST_CASE("a compiler that refuses a source for a while and gives no reason is asked again",
          "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1)});
  std::ofstream(project.folder.path() / "kernel.cl", std::ios::app) << "/* refused twice */\n";
  const auto result = project.run({}, std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("and does not say why: it is built again"));
  CHECK_THAT(result.output, ContainsSubstring("passed: four"));
}
