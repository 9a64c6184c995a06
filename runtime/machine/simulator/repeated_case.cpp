// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/simulator/repeated_case.h"

#include "runtime/machine/checked_launch.h"
#include "runtime/machine/machine.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace gputest::runtime {
namespace {

class SimulatorCase : public RepeatedCase {
public:
  SimulatorCase(BoundCase test_case, std::vector<std::size_t> outputs, std::size_t state_bytes)
      : case_(std::move(test_case)), outputs_(std::move(outputs)), arguments_(case_.arguments),
        state_(state_bytes) {
    for (const std::size_t output : outputs_)
      arguments_[output].read_back = true;
  }

  const BoundCase& test_case() const override { return case_; }
  std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) override {
    return std::make_unique<PreparedIn<SimulatorCase, BuiltKernel>>(*this, kernel, with_state);
  }
  void write_state(std::size_t at, std::span<const std::byte> bytes) override {
    std::memcpy(state_.data() + at, bytes.data(), bytes.size());
  }
  std::span<const std::byte> content(std::size_t output) const override {
    return arguments_[outputs_[output]].bytes;
  }
  std::string overrun() const override {
    return outcome_.out_of_bounds.empty() ? "" : outcome_.out_of_bounds.front();
  }
  std::optional<model::Finding> finding() const override {
    return outcome_.findings.empty() ? std::nullopt : std::optional(outcome_.findings.back());
  }
  std::vector<model::Finding> findings() const override { return outcome_.findings; }

  // Called by a prepared kernel.
  void run(BuiltKernel& kernel, std::span<const Launch> launches, std::span<std::byte> state,
           const std::function<bool()>& is_over) {
    for (const std::size_t output : outputs_)
      std::ranges::copy(case_.arguments[output].bytes, arguments_[output].bytes.begin());
    Bytes none;
    Bytes& whole = state.empty() ? none : state_;
    std::ranges::copy(state, whole.begin());
    outcome_ = {};
    for (const Launch& launch : launches) {
      this->launch(kernel, launch, whole);
      std::copy_n(whole.begin(), state.size(), state.begin());
      if (!ended_well(outcome_.findings) || (is_over && is_over()))
        return;
    }
  }

private:
  // Launches, and adds to the outcome of earlier launches.
  void launch(BuiltKernel& kernel, const Launch& launch, Bytes& state) {
    try {
      const LaunchOutcome outcome = kernel.launch(launch, arguments_, state);
      outcome_.seconds += outcome.seconds;
      std::ranges::copy(outcome.out_of_bounds, std::back_inserter(outcome_.out_of_bounds));
      std::ranges::copy(outcome.findings, std::back_inserter(outcome_.findings));
    } catch (const MachineEnded&) {
      throw;
    } catch (const UsageError& error) {
      throw LaunchRefused(error.what());
    } catch (const DeviceError& error) {
      throw LaunchRefused(error.what());
    }
  }

  BoundCase case_;
  std::vector<std::size_t> outputs_;
  std::vector<LaunchArgument> arguments_; // after the latest run
  Bytes state_;
  LaunchOutcome outcome_; // of the latest run
};

} // namespace

std::unique_ptr<RepeatedCase> repeat_in_simulator(BoundCase test_case,
                                                  const std::vector<std::size_t>& outputs,
                                                  std::size_t state_bytes) {
  return std::make_unique<SimulatorCase>(std::move(test_case), outputs, state_bytes);
}

} // namespace gputest::runtime
