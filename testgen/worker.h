// The process that launches kernels: it stays, may die, and is started again. What an input does to
// it is what the input is found to do.
#pragma once

#include "testgen/deadline.h"
#include "testgen/launcher.h"
#include "testgen/mutants/trial.h"

#include <memory>
#include <optional>
#include <span>

namespace gputest::testgen {

// The variants of a kernel, compiled before the process starts.
struct Kernels {
  const simulator::Program::Ready* instrumented = nullptr; // with bounds and arithmetic
  const simulator::Program::Ready* checked = nullptr;      // the original with all checks
  const simulator::Program::Ready* ordered = nullptr;      // the original, in an order
  const simulator::Program::Ready* mutants = nullptr;      // mutants.cl; null: none are goals
  const simulator::Program::Ready* differences = nullptr;  // differences.cl of the same; or null
  const model::MutantTable* table = nullptr;               // of these
};

// The limit of a launch while cases are generated. A small one takes less than a hundredth of it.
inline constexpr double kLaunchSeconds = 0.02;

class Worker {
public:
  // `limit`: seconds of a launch. Throws SimulatorFailure.
  Worker(const Target& target, const Kernels& kernels, double limit);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // From then on, and while it waits for a launch: OutOfTime. The process is ended. Never at first.
  void set_deadline(Deadline until) { until_ = until; }

  // All of these throw SimulatorFailure where somebody else ends the process again and again; once
  // or twice, the launch is made again, because the kernel did not do it.

  // In the order of the inputs. An input is at most kMostBytes for each argument.
  std::vector<Outcome> run(std::span<const Input> inputs);
  Outcome run(const Input& input) { return run(std::span(&input, 1)).front(); }

  Checked check(const Input& input);

  // What the original leaves where work-groups and work-items run in reverse (`seed` 0) or in an
  // order drawn by `seed`; nullopt: it faulted.
  std::optional<std::vector<runtime::Bytes>> run_ordered(const Input& input, std::uint64_t seed);

  // What becomes of mutants with an input, in their order. `all`: of each of them; else no further
  // than to the first that is not killed. None: the original faults there. A mutant that ends the
  // process is killed.
  std::vector<Fate> try_mutants(const Input& input, const Oracle& oracle,
                                std::span<const model::Mutant* const> mutants, bool all);

  std::uint64_t launches() const { return launches_; } // but those of mutants
  std::uint64_t mutant_launches() const { return mutant_launches_; }
  std::uint64_t faults() const { return faults_; }
  int process() const { return process_; } // where launches are made; 0 or less: none is there

private:
  class Memory;
  enum class Request : std::uint32_t { Run, Check, Ordered, Mutants };

  void start();
  void stop();
  enum class End { Answered, Died, Stuck };
  // `seconds`: of one launch; as long as launches end it may take more.
  End exchange(double seconds);
  End wait(double seconds);
  Checked launch_once(Request request, const Input& input);
  bool ended_by_others(); // the process, which has gone
  [[noreturn]] void serve(int socket);
  void answer_runs(Launcher& launcher);
  void answer_launch(LaunchFile& file, const simulator::Program::Ready& kernel,
                     const simulator::Order& order);
  void answer_mutants(Trial& trial);

  const Target& target_;
  Kernels kernels_;
  double limit_;
  Deadline until_{};
  std::unique_ptr<Memory> memory_;
  int socket_ = -1, process_ = -1;
  unsigned killed_ = 0; // by others, one after another
  std::uint64_t launches_ = 0, mutant_launches_ = 0, faults_ = 0;
};

} // namespace gputest::testgen
