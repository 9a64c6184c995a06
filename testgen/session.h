// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common start of generating and fuzzing: the compiled kernel, the constraints on its inputs,
// and existing cases.
#pragma once

#include "process/child.h"
#include "process/scratch_folder.h"
#include "testgen/goals/deadline.h"
#include "testgen/inputs/constraints.h"
#include "testgen/worker.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct InputSettings {
  std::vector<std::string> arguments, requirements; // texts for Constraints
  std::vector<std::size_t> global_size, local_size; // the only launch; empty: any launch
  std::vector<std::filesystem::path> cases;         // written by people
  // Defaults for cases that name none. Defaults in `arguments` are for these cases, too.
  std::vector<std::size_t> case_global_size, case_local_size, case_global_offset{};
  std::size_t case_shared_memory = 0; // CUDA: bytes of dynamic __shared__ memory
  Tolerance tolerance{};              // for cases that name none
  std::uint64_t seed = 1;
  // In all, with compiling. generate(): of Counts::Work; fuzz(): of Counts::Time.
  double seconds = 10;
};

// `more`: files of cases beside those of the settings. Throws ExpressionError, and runtime's
// UsageError for an impossible launch.
Constraints constraints_of(const Target& target, const InputSettings& settings,
                           const std::vector<std::filesystem::path>& more = {});

// The compiled variants of a target and its mutants.
class CompiledKernel {
public:
  explicit CompiledKernel(const Target& target);

  // To be called when the target has got mutants after that: kernels() has them, too, from then on.
  void add_mutants();

  // Returns the variants, and compiles those that are not in the cache. Child processes compile and
  // are killed at the deadlines. Throws OutOfTime after `until`; mutants are left out after
  // `mutants_until`. Throws what compiling throws.
  Kernels kernels(Deadline until = {}, Deadline mutants_until = {});

  // Why kernels() has left out the target's mutants; empty: it has not.
  const std::string& no_mutants() const { return no_mutants_; }
  double mutants_seconds() const { return mutants_seconds_; } // processor time of compiling mutants

private:
  struct Wanted {
    simulator::Program* program;
    simulator::CodeVariant variant;
  };
  static process::Child compiling(const std::vector<Wanted>& wanted);

  const Target& target_;
  std::optional<process::ScratchFolder> temporary_;
  simulator::Cache cache_;
  simulator::Program original_, instrumented_;
  std::optional<simulator::Program> mutants_, differences_;
  std::string no_mutants_;
  double mutants_seconds_ = 0;
};

// Returns `files`, then case_files() of the folder, each once.
std::vector<std::filesystem::path> all_case_files(const std::vector<std::filesystem::path>& files,
                                                  const std::filesystem::path& folder,
                                                  const Target& target);

// Returns the cases in a folder, sorted by name, without those that are named after another kernel
// of the file.
std::vector<std::filesystem::path> case_files(const std::filesystem::path& folder,
                                              const Target& target);

// A case as an input, with its expected outputs.
struct KnownInput {
  std::string name; // of the case
  Input input;
  Oracle oracle;
};

// Returns the cases of one file that can be inputs. Adds to `notes` the others and why they cannot.
std::vector<KnownInput> inputs_of(const Target& target, const InputSettings& settings,
                                  const std::filesystem::path& file,
                                  std::vector<std::string>& notes);

// An output that is not the same whenever the kernel runs.
struct Varying {
  std::string output; // the argument
  // Work-items in another order leave something else. Otherwise it depends on how the kernel was
  // compiled, because a signed integer overflows, for example.
  bool by_order = true;

  std::string text() const; // "'out' depends on the order of work-items"
};

// Runs the input in a few other orders of work-groups and work-items. Returns the first output that
// then differs from `after` by more than rounding.
std::optional<Varying> varying_output(const Target& target, Worker& worker, const Input& input,
                                      const std::vector<runtime::Bytes>& after);

} // namespace gputest::testgen
