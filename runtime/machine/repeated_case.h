// A test case that kernels are launched on again and again: its memory is made once.
#pragma once

#include "gputest/error.h"
#include "runtime/cases/bound_case.h"
#include "runtime/machine/simulation.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

class BuiltKernel;

// A machine that refuses a launch, of whatever is wrong with its sizes or resources.
class LaunchRefused : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// After so many launches is_over() is asked.
constexpr std::size_t kAskEvery = 512;

// A kernel with its arguments set.
class PreparedKernel {
public:
  virtual ~PreparedKernel() = default;

  // Launches it under `launch` on the case's initial memory and waits for it. `state`: the first
  // bytes of the state buffer, written before and read after; not looked at where the kernel takes
  // none. Throws LaunchRefused, and DeviceError where the machine fails.
  void run(const Launch& launch, std::span<std::byte> state) { run({&launch, 1}, state, {}); }

  // The same with several launches, each on what the one before it left. Now and then `is_over` is
  // asked, once `state` is what it is by then; where it says so, the rest is not launched.
  virtual void run(std::span<const Launch> launches, std::span<std::byte> state,
                   const std::function<bool()>& is_over) = 0;
};

// One for a case that launches by itself: Case::run(kernel, launches, state, is_over), whose state
// is empty where the kernel takes none.
template <typename Case, typename Kernel> class PreparedIn : public PreparedKernel {
public:
  PreparedIn(Case& of, Kernel& kernel, bool with_state)
      : case_(of), kernel_(kernel), with_state_(with_state) {}
  using PreparedKernel::run;
  void run(std::span<const Launch> launches, std::span<std::byte> state,
           const std::function<bool()>& is_over) override {
    case_.run(kernel_, launches, with_state_ ? state : std::span<std::byte>(), is_over);
  }

private:
  Case& case_;
  Kernel& kernel_;
  bool with_state_;
};

class RepeatedCase {
public:
  virtual ~RepeatedCase() = default;

  virtual const BoundCase& test_case() const = 0;

  // `kernel`: built by the machine that made this, and alive as long as what is returned.
  // with_state: it takes the state buffer as one more argument. Throws DeviceError.
  virtual std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) = 0;

  // Into the state buffer, from byte `at` on, to stay there until somebody writes it again. Throws
  // DeviceError.
  virtual void write_state(std::size_t at, std::span<const std::byte> bytes) = 0;

  // What the latest run left. `output`: index into the positions the machine was told.
  virtual std::span<const std::byte> content(std::size_t output) const = 0;
  virtual std::string overrun() const = 0; // "kernel 'x' wrote 3 bytes past the end …"; empty: none
  // What the kernel did and no kernel may do; the simulator alone tells.
  virtual std::optional<model::Finding> finding() const { return std::nullopt; }
  // The same, all that was found.
  virtual std::vector<model::Finding> findings() const { return {}; }
};

} // namespace gputest::runtime
