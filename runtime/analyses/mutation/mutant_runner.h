// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mutants on one test case. Memory objects are made once, so that a run costs no more than it
// must.
#pragma once

#include "runtime/analyses/mutation/oracle.h"
#include "runtime/machine/machine.h"
#include "runtime/variants/mutation_state.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

class MutantRunner {
public:
  // Makes the case's memory. `machine` and `table` must outlive the runner. Outputs without an
  // oracle are compared with the original's, unless `property` judges them. Throws DeviceError.
  MutantRunner(Machine& machine, const model::MutantTable& table, BoundCase test_case,
               const std::string& kernel, std::vector<ExpectedOutput> outputs,
               Property property = {});

  // Returns `kernel` with its arguments set. `with_state`: it takes the state buffer.
  std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) const {
    return memory_->prepare(kernel, with_state);
  }

  // Runs `kernel`, which prepare() returned, under `launch` on the case's initial memory. `order`
  // is the order of groups and work-items (order_of()). Returns seconds. Throws LaunchRefused,
  // KernelFault, and DeviceError where the machine fails.
  double run(PreparedKernel& kernel, MutantControl control, const Launch& launch,
             unsigned order = 0);

  // Returns what ended the latest run early, in the simulator; nullopt: it ran to its end.
  std::optional<model::Finding> fatal() const;
  // Returns what the simulator's checks found in the latest run.
  std::vector<model::Finding> findings() const { return memory_->findings(); }
  // Returns how the mutant of the latest run is noticed before anybody looks at outputs; nullopt:
  // it did no harm.
  std::optional<MutantNotice> event_notice() const;
  // Returns how the mutant of the latest run is noticed; nullopt: the case passes.
  std::optional<MutantNotice> notice() const;
  // As notice(), for a run of the original. Only an oracle can find the original wrong, except for
  // an output that holds nothing but NaN.
  std::optional<MutantNotice> original_notice() const;
  // After a run of mutants.cl without an active mutant: returns what differs from what the author's
  // text left (add_originals()), where no oracle accepts it. Empty: nothing.
  std::string unlike_originals() const;
  // Returns the bits of the sites that the latest run reached. That run must have had
  // MutantControl::trace.
  std::vector<std::uint32_t> reached();
  std::uint32_t iterations() const { return read_iterations(header()); }
  // Returns the bits of the guards and votes that reported something in the latest run, which must
  // have had MutantControl::trace. Empty: none.
  std::vector<std::uint32_t> harm();

  // From now on, what these guards and votes report is not blamed on mutants.
  void know_harm(const std::vector<std::uint32_t>& harm);

  // Takes the latest run's outputs as the original's. Returns whether earlier runs of the original
  // left the same.
  bool add_originals();

  const BoundCase& test_case() const { return memory_->test_case(); }
  const std::vector<ExpectedOutput>& outputs() const { return outputs_; }
  bool has_oracle() const { return property_ || runtime::has_oracle(outputs_); }

private:
  std::span<const std::byte> header() const { return std::span(state_).first(kStateHeaderBytes); }
  void write_order(unsigned order);
  std::string wrong_property() const; // what the property says of the latest run; empty: it holds

  const model::MutantTable& table_;
  std::vector<ExpectedOutput> outputs_;
  Property property_;
  Bytes state_;
  Launch ordered_launch_; // the case's, with a local size
  // Its state buffer has `state_` and room for a section `schedule`.
  std::unique_ptr<RepeatedCase> memory_;
  unsigned order_ = 0; // the order in the state buffer; 0: none
  bool knows_harm_ = false;
};

} // namespace gputest::runtime
