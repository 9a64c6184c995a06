// Running mutants on one test case: memory objects are made once, and each run costs no more than
// it must.
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
  // Makes the case's memory. Machine and table must outlive the runner. `property`: what it says
  // counts instead of what the original leaves in outputs for which there is no oracle. Throws
  // DeviceError.
  MutantRunner(Machine& machine, const model::MutantTable& table, BoundCase test_case,
               const std::string& kernel, std::vector<ExpectedOutput> outputs,
               Property property = {});

  // `kernel` with its arguments set. with_state: it takes the state buffer.
  std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) const {
    return memory_->prepare(kernel, with_state);
  }

  // Runs `kernel` (of prepare) under `launch` on the case's initial memory; groups and work-items
  // come in that order (order_of). Returns seconds. Throws LaunchRefused, and DeviceError where the
  // machine fails.
  double run(PreparedKernel& kernel, MutantControl control, const Launch& launch,
             unsigned order = 0);

  // What ended the latest run in its midst, in the simulator; nullopt: it went to its end.
  std::optional<model::Finding> fatal() const;
  // What the simulator's checks found in the latest run.
  std::vector<model::Finding> findings() const { return memory_->findings(); }
  // How the mutant of the latest run is noticed before outputs are looked at; nullopt: it did no
  // harm.
  std::optional<MutantNotice> event_notice() const;
  // How the mutant of the latest run is noticed; nullopt: the case passes.
  std::optional<MutantNotice> notice() const;
  // The same of a run of the original, which only an oracle can find wrong: or an output that is
  // nothing but NaN.
  std::optional<MutantNotice> original_notice() const;
  // After a run of mutants.cl without a mutant: what differs from what add_originals() has taken of
  // the author's text, and no oracle calls right; empty: nothing.
  std::string unlike_originals() const;
  // The sites that the latest run reached, which was with trace.
  std::vector<std::uint32_t> reached();
  std::uint32_t iterations() const { return read_iterations(header()); }
  // The guards and votes that reported something in the latest run, which was with trace. Empty:
  // none.
  std::vector<std::uint32_t> harm();

  // What these report in later runs is the original's.
  void know_harm(const std::vector<std::uint32_t>& harm);

  // Takes the latest run's outputs as the original's; returns whether they are those of before.
  bool add_originals();

  const BoundCase& test_case() const { return memory_->test_case(); }
  const std::vector<ExpectedOutput>& outputs() const { return outputs_; }
  bool has_oracle() const { return property_ || runtime::has_oracle(outputs_); }

private:
  std::span<const std::byte> header() const { return std::span(state_).first(kStateHeaderBytes); }
  void write_order(unsigned order);
  std::string wrong_property() const; // of the latest run's outputs; empty: it holds

  const model::MutantTable& table_;
  std::vector<ExpectedOutput> outputs_;
  Property property_;
  Bytes state_;
  Launch ordered_launch_; // the case's, with a local size
  std::unique_ptr<RepeatedCase>
      memory_;         // its state buffer: `state_`, and room for a section `schedule`
  unsigned order_ = 0; // that it holds; 0: none
  bool knows_harm_ = false;
};

} // namespace gputest::runtime
