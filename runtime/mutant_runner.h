// Running mutants on one test case: memory objects are made once, and each run costs no more than
// it must.
#pragma once

#include "runtime/case_memory.h"
#include "runtime/mutation_oracle.h"
#include "runtime/mutation_state.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

class MutantRunner {
public:
  // Makes the memory objects. The table must outlive the runner. Throws DeviceError.
  MutantRunner(const Context& context, const model::MutantTable& table, BoundCase test_case,
               std::string kernel, std::vector<ExpectedOutput> outputs);

  // A kernel of `program` with its arguments set. with_state: it takes the state buffer.
  cl::Kernel make_kernel(const BuiltProgram& program, bool with_state) const;

  // Runs `kernel` (of make_kernel) under `launch` on the case's initial memory; groups and
  // work-items come in that order (order_of). Returns seconds. Throws LaunchRefused, and
  // DeviceError where the device fails.
  double run(const cl::Kernel& kernel, MutantControl control, const Launch& launch,
             unsigned order = 0);

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

  const BoundCase& test_case() const { return memory_.test_case(); }
  const std::vector<ExpectedOutput>& outputs() const { return outputs_; }

private:
  std::span<const std::byte> header() const { return std::span(state_).first(kStateHeaderBytes); }
  std::optional<MutantNotice> event_notice() const; // before outputs are looked at
  void write_order(unsigned order);

  const Context& context_;
  const model::MutantTable& table_;
  std::string kernel_;
  std::vector<ExpectedOutput> outputs_;
  CaseMemory memory_;
  Bytes state_;
  Launch ordered_launch_;   // the case's, with a local size
  cl::Buffer state_buffer_; // `state_`, and behind it room for a section `schedule`
  unsigned order_ = 0;      // that it holds; 0: none
  MutantControl control_;   // of the latest run
};

} // namespace gputest::runtime
