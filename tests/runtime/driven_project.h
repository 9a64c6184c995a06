// A host program whose mutants `gputest` makes of a source, not written by hand.
#pragma once

#include "model/mutation/mutation.h"
#include "tests/catch.h"
#include "tests/runtime/mutation_fixture.h"

#include <algorithm>

namespace gputest::tests {

inline constexpr const char* kDrivenSource = "kernel void twice(global int* data, int n) {\n"
                                             "  int i = get_global_id(0);\n"
                                             "#if __OPENCL_VERSION__ >= 120\n"
                                             "  if (i < n)\n"
                                             "    data[i] = 2 * data[i];\n"
                                             "#else\n"
                                             "  data[i] = 77;\n"
                                             "#endif\n"
                                             "}\n";

inline void run_checked(const std::vector<std::string>& command) {
  const auto result = process::run_command(command);
  if (result.exit_code != 0)
    throw std::runtime_error(result.output);
}

class DrivenProject : public HarnessProject {
public:
  // `options` are for `gputest mutants`.
  explicit DrivenProject(const std::vector<std::string>& options = {},
                         const std::string& source = kDrivenSource)
      : HarnessProject(
            source, kernel_interface("twice", {pointer("data", kInt, true), by_value("n", kInt)})) {
    std::vector<std::string> command{GPUTEST_DRIVER,
                                     "mutants",
                                     (folder.path() / "kernel.cl").string(),
                                     "--source-root",
                                     folder.path().string(),
                                     "--output-dir",
                                     folder.path().string()};
    command.insert(command.end(), options.begin(), options.end());
    run_checked(command);
    description["driver"] = GPUTEST_DRIVER;
    description["settings"] = {{"mutation.store", (folder.path() / "results.db").string()}};
    add_case("three", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3},
                          "expected": {"data": [2, 4, 6, 4]}})");
  }

  model::Mutation mutation() const { return model::read_mutation(folder.path() / "mutation.json"); }
};

inline const std::vector<std::string> kFew{"--mutation", "--operators", "conventional"};

// What becomes of the mutants of kDrivenSource where nothing is in the way.
class Undisturbed {
public:
  static const std::vector<model::MutantResult>& all() {
    static const std::vector<model::MutantResult> all = [] {
      const DrivenProject project;
      const auto result = project.run({"--mutation"});
      INFO(result.output);
      CHECK(result.exit_code == 0);
      return project.mutation().results;
    }();
    return all;
  }

  // Mutants that have run in `other` have the same verdicts there, and the same cases reach them.
  static void check_same(const DrivenProject& other) {
    const std::vector<model::MutantResult> results = other.mutation().results;
    CHECK(results.size() > 10);
    for (const model::MutantResult& one : results) {
      INFO(one.mutant.id);
      const auto same = std::ranges::find(
          all(), one.mutant.id, [](const model::MutantResult& any) { return any.mutant.id; });
      REQUIRE(same != all().end());
      CHECK(one.verdict == same->verdict);
      CHECK(one.reached_by == same->reached_by);
    }
  }
};

} // namespace gputest::tests
