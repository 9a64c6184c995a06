// A kernel edited after the build: every way to run the harness says so, and what to do.
#include "tests/runtime/described_project.h"

using namespace gputest;
using namespace gputest::tests;

TEST_CASE("files that changed since the build: every run says so, until it is built again") {
  DescribedProject project(
      "#include \"half.h\"\n"
      "kernel void k(global int* data) { data[get_global_id(0)] = HALF(8); }\n",
      {"mutants", "schedule"}, "k", {{"half.h", "#define HALF(x) ((x) / 2)\n"}});
  project.add_case("only", R"({"arguments": {"data": [1, 2, 3, 4]}})");
  const auto stale = [&](const std::string& file) {
    for (const std::vector<std::string>& mode :
         std::vector<std::vector<std::string>>{{},
                                               {"--coverage"},
                                               {"--mutation"},
                                               {"--schedules"},
                                               {"--check"},
                                               {"--compare", "1"}}) {
      const auto result = project.run(mode);
      CAPTURE(mode, result.output);
      CHECK(result.exit_code == 2);
      CHECK(contains(result.output, file + ": error: has changed since "));
      CHECK(contains(result.output, "build first"));
    }
    CHECK(project.run({"--list-cases"}).exit_code == 0);
  };
  const std::string source = project.folder.read("kernel.cl");
  project.folder.write("kernel.cl", "// One line more.\n" + source);
  stale("kernel.cl");
  project.folder.write("kernel.cl", source); // touched, and as it was
  project.folder.write("half.h", "#define HALF(x) ((x) >> 1)\n");
  stale("half.h");
  project.make("instrument");
  const auto built = project.run();
  CAPTURE(built.output);
  CHECK((built.exit_code == 0 || built.exit_code == 77));
}

TEST_CASE("coverage of a text that has changed since is not reported", "[needs][needs-device]") {
  require_device();
  DescribedProject project("kernel void k(global int* data) { data[get_global_id(0)] = 4; }\n");
  project.add_case("only", R"({"arguments": {"data": [1, 2, 3, 4]}})");
  REQUIRE(project.run({"--coverage"}).exit_code == 0);
  const auto report = [&] {
    return process::run_command({GPUTEST_DRIVER, "report",
                                 (project.folder.path() / "coverage.json").string(),
                                 "--source-root", project.folder.path().string()});
  };
  CHECK(report().exit_code == 0);
  project.folder.write("kernel.cl", "\n" + project.folder.read("kernel.cl"));
  const auto refused = report();
  CAPTURE(refused.output);
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.output, "kernel.cl: error: is not what it was when its coverage was "
                                 "measured"));
}
