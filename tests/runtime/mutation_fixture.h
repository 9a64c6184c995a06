// A kernel with a mutants variant written by hand, and the harness that runs them.
#pragma once

#include "model/mutation/mutation.h"
#include "tests/runtime/device_fixture.h"

#include <map>

namespace gputest::tests {

// A switched mutant of data/mutation/mutants.cl at site 0.
inline model::Mutant switched(const std::string& id, unsigned number, unsigned site = 0) {
  model::Mutant mutant;
  mutant.id = id;
  mutant.operators = {"math_replacement"};
  mutant.number = number;
  mutant.site = site;
  mutant.function = "scale";
  mutant.file = "kernel.cl";
  mutant.line = mutant.end_line = 4;
  mutant.column = 14;
  mutant.end_column = 23;
  mutant.text = "2 * in[i]";
  mutant.replacement = "2 + in[i]";
  return mutant;
}

// `count` mutants that survive.
inline std::vector<model::Mutant> survivors(unsigned count) {
  std::vector<model::Mutant> mutants;
  for (unsigned i = 0; i < count; ++i)
    mutants.push_back(switched("s" + std::to_string(i), 7));
  return mutants;
}

inline bool is_cpu() {
  return runtime::choose_device("").type == "cpu";
}

inline model::Mutant launch_mutant(const std::string& id, int more_items, int more_groups) {
  model::Mutant mutant = switched(id, 0);
  mutant.operators = {more_items + more_groups > 0 ? "alloc_increment" : "alloc_decrement"};
  mutant.kind = model::MutantKind::Launch;
  mutant.more_items = more_items;
  mutant.more_groups = more_groups;
  return mutant;
}

inline model::Mutant own_program(const std::string& id, const std::string& program) {
  model::Mutant mutant = switched(id, 0);
  mutant.operators = {"share_removal"};
  mutant.kind = model::MutantKind::Program;
  mutant.program = program;
  return mutant;
}

inline std::string mutation_data(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(GPUTEST_TEST_DATA) + "/data/mutation/" + name).rdbuf();
  return text.str();
}

class MutationProject : public HarnessProject {
public:
  explicit MutationProject(const std::vector<model::Mutant>& mutants)
      : HarnessProject(mutation_data("scale.cl"),
                       kernel_interface("scale", {pointer("in", kInt), pointer("out", kInt, true),
                                                  by_value("n", kInt)})) {
    for (const char* file : {"mutants.cl", "mutant-own.cl", "mutant-broken.cl"})
      folder.write("k/" + std::string(file), mutation_data(file));
    folder.write("k/original.cl", mutation_data("mutants.cl"));
    std::filesystem::rename(folder.path() / "interface.json", folder.path() / "k/interface.json");
    description["kernel_dir"] = (folder.path() / "k").string();
    write(mutants);
    add_case("four", R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 4},
                         "expected": {"out": [2, 4, 6, 8]}})");
    add_case("three", R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 3},
                          "expected": {"out": [2, 4, 6, 0]}})");
  }

  void write(const std::vector<model::Mutant>& mutants) {
    model::MutantTable table;
    table.source = "kernel.cl";
    table.arguments = 3;
    table.reached_bits = 64;
    table.kernels = {{"scale", {"scale"}}};
    table.guards = {{"scale", "kernel.cl", 4, 5, "out[i]"}};
    table.votes = {{0, "scale", "kernel.cl", 3, 7, "i < n", {}}};
    table.mutants = mutants;
    model::write_mutant_table(table, folder.path() / "k/mutants.json");
  }

  // Both kernels that the mutants are compared in.
  void write_kernels(const std::string& text) {
    for (const char* file : {"k/mutants.cl", "k/original.cl"})
      folder.write(file, text);
  }

  // A gputest command that knows the text of a mutant by its id: that of the mutant `wrong` has
  // this factor.
  void set_driver(const std::string& factor_of_wrong) {
    const auto driver = folder.write(
        "gputest", "#!/bin/sh\nwhile [ $# -gt 1 ]; do\n  case $1 in\n    --alone) id=$2;;\n"
                   "    --output) out=$2;;\n  esac\n  shift\ndone\n[ $id = wrong ] && f=" +
                       factor_of_wrong +
                       " || f=2\ncat > $out <<END\nkernel void scale(global const int* in, global "
                       "int* out, int n, global uint* state) {\n  int i = get_global_id(0);\n  if "
                       "(i < n) out[i] = $f * in[i];\n}\nEND\n");
    std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
    description["driver"] = driver.string();
  }

  // Runs the mutants; the exit code is to be `exit_code`.
  std::map<std::string, model::MutantResult> results(std::vector<std::string> options = {},
                                                     int exit_code = 0) {
    options.insert(options.begin(), "--mutation");
    const auto run_result = run(options, environment);
    output = run_result.output;
    if (run_result.exit_code != exit_code)
      throw std::runtime_error(output);
    mutation = model::read_mutation(folder.path() / "k/mutation.json");
    std::map<std::string, model::MutantResult> by_id;
    for (const model::MutantResult& result : mutation.results)
      by_id[result.mutant.id] = result;
    return by_id;
  }

  std::string environment; // of results(): "NAME=value"; may be empty
  std::string output;
  model::Mutation mutation;
};

inline void expect_killed(const model::MutantResult& result, model::KillReason reason,
                          const std::string& detail) {
  INFO(result.mutant.id);
  CHECK(result.verdict == model::Verdict::Killed);
  CHECK(result.reason == reason);
  CHECK_THAT(result.detail, ContainsSubstring(detail));
}

} // namespace gputest::tests
