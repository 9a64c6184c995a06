// A kernel whose survivors run in the simulator.
#pragma once

#include "tests/runtime/mutation_fixture.h"

namespace gputest::tests {

// A kernel with the mutants that gputest makes of it, run on a device, with the simulator beside
// it.
class CheckedProject : public HarnessProject {
public:
  explicit CheckedProject(const std::string& source)
      : HarnessProject(source,
                       kernel_interface("k", {pointer("in", kInt), pointer("out", kInt, true)})) {
    const auto made = process::run_command(
        {GPUTEST_DRIVER, "mutants", (folder.path() / "kernel.cl").string(), "--source-root",
         folder.path().string(), "--output-dir", folder.path().string()});
    if (made.exit_code != 0)
      throw std::runtime_error(made.output);
    description["driver"] = GPUTEST_DRIVER;
    description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
    description["settings"] = {{"mutation.store", (folder.path() / "results.db").string()}};
    description["global_size"] = {8};
    description["local_size"] = {4};
  }

  // A case of a kernel that leaves eight numbers as they are.
  void add_copy_of_eight() {
    add_case("eight", R"({"arguments": {"in": [1, 2, 3, 4, 5, 6, 7, 8], "out": {"size": 8}},
                          "expected": {"out": [1, 2, 3, 4, 5, 6, 7, 8]}})");
  }

  std::vector<model::MutantResult> results(std::vector<std::string> options) {
    options.insert(options.begin(), "--mutation");
    const auto result = run(options);
    output = result.output;
    if (result.exit_code != 0)
      throw std::runtime_error(output);
    mutation = model::read_mutation(folder.path() / "mutation.json");
    return mutation.results;
  }

  std::string output;
  model::Mutation mutation;
};

} // namespace gputest::tests
