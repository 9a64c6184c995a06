// Running mutants on one test case: memory objects are made once, and each run costs no more than
// it must.
#pragma once

#include "runtime/kernel_memory.h"
#include "runtime/mutation_oracle.h"
#include "runtime/mutation_state.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// A device that refuses a launch, of whatever is wrong with its sizes or resources.
class LaunchRefused : public DeviceError {
public:
  using DeviceError::DeviceError;
};

class MutantRunner {
public:
  // Makes the memory objects. The table must outlive the runner. Throws DeviceError.
  MutantRunner(const Context& context, const model::MutantTable& table, BoundCase test_case,
               std::string kernel, std::vector<ExpectedOutput> outputs);

  // A kernel of `program` with its arguments set. with_state: it takes the state buffer.
  cl::Kernel make_kernel(const BuiltProgram& program, bool with_state) const;

  // Runs `kernel` (of make_kernel) under `launch` on the case's initial memory. Returns seconds.
  // Throws LaunchRefused, and DeviceError where the device fails.
  double run(const cl::Kernel& kernel, const MutantControl& control, const Launch& launch);

  // Of the latest run: how it is noticed; nullopt: the case passes.
  std::optional<MutantNotice> notice() const;
  // The same of a run of the original, which only an oracle can find wrong: or an output that is
  // nothing but NaN.
  std::optional<MutantNotice> original_notice() const;
  // Of the latest run, which was with trace.
  std::vector<std::uint32_t> reached();
  std::uint32_t iterations() const { return read_iterations(header()); }

  // Takes the latest run's outputs as the original's; returns whether they are those of before.
  bool add_originals();

  const BoundCase& test_case() const { return case_; }
  const std::vector<ExpectedOutput>& outputs() const { return outputs_; }

private:
  // Memory that a kernel may write: written anew before each run.
  struct Written {
    std::size_t position;
    Bytes initial;                     // and the guard zone
    Bytes after;                       // content (if an output) and guard zone
    std::optional<std::size_t> output; // index
  };

  std::span<const std::byte> header() const { return std::span(state_).first(kStateHeaderBytes); }
  std::span<const std::byte> content_after(const Written& written) const;
  std::optional<MutantNotice> event_notice() const; // before outputs are looked at
  void launch(const cl::Kernel& kernel, const Launch& launch) const;

  const Context& context_;
  const model::MutantTable& table_;
  BoundCase case_;
  std::string kernel_;
  std::vector<ExpectedOutput> outputs_;
  KernelMemory memory_;
  std::vector<Written> written_;
  Bytes guard_zone_;
  Bytes state_;
  cl::Buffer state_buffer_;
  MutantControl control_; // of the latest run
};

} // namespace gputest::runtime
