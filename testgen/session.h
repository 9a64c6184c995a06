// What generating and fuzzing begin with: the kernel compiled, what is said of its inputs, and the
// cases that there are.
#pragma once

#include "model/scratch_folder.h"
#include "testgen/child.h"
#include "testgen/deadline.h"
#include "testgen/inputs/constraints.h"
#include "testgen/worker.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct InputSettings {
  std::vector<std::string> arguments, requirements; // as Constraints has them
  std::vector<std::size_t> global_size, local_size; // empty: any launch; else this one
  std::vector<std::filesystem::path> cases;         // that people wrote
  // The sizes of cases that name none. What `arguments` say is for these cases, too.
  std::vector<std::size_t> case_global_size, case_local_size;
  std::size_t case_shared_memory = 0; // of CUDA: bytes
  Tolerance tolerance{};              // of cases that name none
  std::uint64_t seed = 1;
  double seconds = 10; // generate(): for everything; fuzz(): beside compiling
};

// Throws ExpressionError, and runtime's UsageError for a launch that cannot be made.
Constraints constraints_of(const Target& target, const InputSettings& settings);

class CompiledKernel {
public:
  explicit CompiledKernel(const Target& target);

  // Compiles what no earlier process has, in processes that end with the time: throws OutOfTime.
  // Mutants are compiled at the same time, and left out where their own time is over. Throws what
  // compiling throws.
  Kernels kernels(Deadline until = {}, Deadline mutants_until = {});

  // Why the target's mutants are not among the kernels; empty: they are, or it has none.
  const std::string& no_mutants() const { return no_mutants_; }
  double mutants_seconds() const { return mutants_seconds_; } // that compiling these kept busy

private:
  struct Wanted {
    simulator::Program* program;
    simulator::CodeVariant variant;
  };
  static std::unique_ptr<Child> compiling(const std::vector<Wanted>& wanted);

  const Target& target_;
  std::optional<model::ScratchFolder> temporary_;
  simulator::Cache cache_;
  simulator::Program original_, instrumented_;
  std::optional<simulator::Program> mutants_, differences_;
  std::string no_mutants_;
  double mutants_seconds_ = 0;
};

// The cases in a folder, and before them `files`, each once.
std::vector<std::filesystem::path> all_case_files(const std::vector<std::filesystem::path>& files,
                                                  const std::filesystem::path& folder,
                                                  const Target& target);

// The cases in a folder that are not named after another kernel of the file, by name.
std::vector<std::filesystem::path> case_files(const std::filesystem::path& folder,
                                              const Target& target);

// A case as an input, and what the case says its outputs should be.
struct KnownInput {
  std::string name; // of the case
  Input input;
  Oracle oracle;
};

// Those of one file that can be inputs; `notes` gets what cannot be used, and why.
std::vector<KnownInput> inputs_of(const Target& target, const InputSettings& settings,
                                  const std::filesystem::path& file,
                                  std::vector<std::string>& notes);

// The first output that another order of work-groups and work-items leaves unlike `after`, beyond
// rounding; empty: none of a few orders does.
std::string depends_on_order(const Target& target, Worker& worker, const Input& input,
                             const std::vector<runtime::Bytes>& after);

} // namespace gputest::testgen
