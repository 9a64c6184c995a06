// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that makes many launches, may die, and is then started again. If an input ends the
// process, that is the input's outcome.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "testgen/goals/deadline.h"
#include "testgen/launcher.h"
#include "testgen/trial.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace gputest::testgen {

// The variants of a kernel, compiled before the process starts.
struct Kernels {
  const simulator::Program::Ready* instrumented = nullptr; // with the checks bounds and arithmetic
  const simulator::Program::Ready* checked = nullptr;      // the original with all checks
  const simulator::Program::Ready* ordered = nullptr;      // the original, to run in an order
  const simulator::Program::Ready* mutants = nullptr;      // mutants.cl; null: mutants are no goals
  const simulator::Program::Ready* differences = nullptr;  // differences.cl; may be null
  const model::MutantTable* table = nullptr;               // of the mutants
};

// The limit of a launch while cases are generated: 0.02 s of an idle machine. A small launch takes
// less than a hundredth.
inline constexpr LaunchLimit kGenerationLimit{.steps = 20'000'000, .seconds = 1};

class Worker {
public:
  // Starts the process. References must outlive the worker. Throws SimulatorFailure.
  Worker(const Target& target, const Kernels& kernels, LaunchLimit limit);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // Launches these from now on, in a new process.
  void use(const Kernels& kernels);

  // After `until`, all functions below throw OutOfTime, also while they wait, and kill the process.
  // The default is never.
  void set_deadline(Deadline until) { until_ = until; }

  // If something other than the kernel ends the process, these repeat the launch. They throw
  // SimulatorFailure if that happens several times in a row.

  // Launches the instrumented kernel with each input, and returns outcomes in the order of the
  // inputs. An argument has at most kMostBytes bytes.
  std::vector<Outcome> run(std::span<const Input> inputs);
  Outcome run(const Input& input) { return run(std::span(&input, 1)).front(); }

  // Launches inputs of which there are many others, as run() does. After a few that did not end,
  // the next get fewer steps: each takes as long as thousands of those that end.
  std::vector<Outcome> try_run(std::span<const Input> inputs);
  Outcome try_run(const Input& input) { return try_run(std::span(&input, 1)).front(); }

  // A launch with so many steps was of use, so that trials are not ended much earlier.
  void was_of_use(std::int64_t steps) { most_steps_ = std::max(most_steps_, steps); }

  // Launches the original with all checks, and returns what they said in the order of the inputs.
  // When the time is over, returns what is there, and throws OutOfTime only if that is nothing.
  std::vector<Checked> check(std::span<const Input> inputs);
  Checked check(const Input& input) { return std::move(check(std::span(&input, 1)).front()); }

  // Launches the original without checks, with work-groups and work-items in reverse (`seed` 0) or
  // in an order drawn by `seed`; nullopt: in the usual order. Returns what it left in arguments'
  // memory; nullopt: it faulted.
  std::optional<std::vector<runtime::Bytes>> run_ordered(const Input& input,
                                                         std::optional<std::uint64_t> seed);

  // Tries mutants with an input and returns their fates, in their order. With `all` it tries all of
  // them, else only up to the first that is not killed. A mutant that ends the process counts as
  // killed. Returns an empty vector if the original faults with the input.
  std::vector<Fate> try_mutants(const Input& input, const Oracle& oracle,
                                std::span<const model::Mutant* const> mutants, bool all);

  std::uint64_t launches() const { return launches_; } // without those of mutants
  std::uint64_t mutant_launches() const { return mutant_launches_; }
  std::uint64_t faults() const { return faults_; }
  // How many launches of run() and try_run() have used up all steps of the limit.
  std::uint64_t used_up() const { return used_up_; }
  // Whether any launch has ended by LaunchLimit::seconds, so that another run may find more.
  bool is_late() const { return is_late_; }
  int process() const { return process_.id(); } // 0: none runs

private:
  class Memory;
  enum class Request : std::uint32_t { Run, Check, Ordered, Mutants };

  void start();
  void stop();
  enum class End { Answered, Died, Stuck };
  // Waits for an answer. `seconds`: the limit of one launch; many short launches may take longer.
  End exchange(double seconds);
  End wait(double seconds);
  std::vector<Checked> launch(Request request, std::span<const Input> inputs);
  void take_checked(std::vector<Checked>& all);
  std::vector<Outcome> run(std::span<const Input> inputs, LaunchLimit limit);
  LaunchLimit limit_of_trials() const;
  void serve(int socket);
  void answer_runs(std::optional<Launcher>& launcher);
  void answer_launches(const std::function<Checked(const Input&)>& launch);
  void answer_mutants(Trial& trial);

  const Target& target_;
  Kernels kernels_;
  LaunchLimit limit_;
  Deadline until_{};
  std::unique_ptr<Memory> memory_;
  process::Descriptor socket_;
  process::Child process_;
  process::Tries tries_; // of processes
  std::uint64_t launches_ = 0, mutant_launches_ = 0, faults_ = 0, used_up_ = 0;
  std::int64_t most_steps_ = 0; // of a launch that was of use
  bool is_late_ = false;
};

} // namespace gputest::testgen
