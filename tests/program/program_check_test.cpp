#include "program/opencl/check.h"

#include "tests/catch.h"

using namespace gputest::program;
using gputest::model::Finding;

TEST_CASE("A kernel's folder has a short name, however long its own is") {
  RunRecords records;
  BuiltSource source;
  source.stem = "k";
  records.programs = {source};
  const std::string one(300, 'a'), other = one + "b";
  for (const std::string& kernel : {one, other, std::string("set")}) {
    RecordedSimulation simulation;
    simulation.kernel = kernel;
    records.simulated.push_back(simulation);
  }
  const std::vector<KernelChecks> kernels = sorted_by_kernel(checked_launches(records));
  REQUIRE(kernels.size() == 3);
  for (const KernelChecks& kernel : kernels)
    CHECK(kernel.folder.size() < 200);
  CHECK(kernels[0].folder != kernels[1].folder);
  CHECK(kernels[2].folder == "k.set");
  CHECK(source.folder_of(one) == kernels[0].folder);
}

TEST_CASE("A pair that is a race in one launch and writes the same in another is one finding") {
  RunRecords records;
  BuiltSource source;
  source.process = "1";
  source.stem = "k";
  source.name = "k.cl";
  records.programs = {source};
  const auto launch = [&](std::uint64_t number, const Finding& finding) {
    RecordedSimulation simulation;
    simulation.process = "1";
    simulation.kernel = "set";
    simulation.launch = number;
    simulation.findings = {finding};
    records.simulated.push_back(simulation);
  };
  const Finding same{.kind = "race_same_value", .site = {"k.cl", 3, 5}, .other = {"k.cl", 3, 5}};
  Finding race = same;
  race.kind = "race";
  launch(1, same);
  launch(2, race);
  launch(3, same);
  const std::vector<KernelChecks> kernels = sorted_by_kernel(checked_launches(records));
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].findings.size() == 1);
  CHECK(kernels[0].findings[0].finding.kind == "race");
  CHECK(kernels[0].findings[0].finding.count == 3);
  CHECK(kernels[0].findings[0].launch == 2); // which replays it
}
