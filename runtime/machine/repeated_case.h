// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test case that kernels are launched on repeatedly. Its memory is made once.
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

// The machine refuses a launch, because of its sizes or resources.
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

  // Launches the kernel under `launch` on the case's initial memory, and waits for it. `state` is
  // the first bytes of the state buffer, which are written before the launch and read after it. It
  // is ignored where the kernel takes none. Throws LaunchRefused, and DeviceError where the machine
  // fails.
  void run(const Launch& launch, std::span<std::byte> state) { run({&launch, 1}, state, {}); }

  // As above, with several launches. Each begins with what the one before it left. Now and then,
  // `state` is read and `is_over` is called: if that returns true, the remaining launches are left
  // out.
  virtual void run(std::span<const Launch> launches, std::span<std::byte> state,
                   const std::function<bool()>& is_over) = 0;
};

// A prepared kernel for a case that launches by itself, with Case::run(kernel, launches, state,
// is_over). `state` is empty where the kernel takes none.
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

  // Returns `kernel` with its arguments set. The machine that made this case must have built it,
  // and it must outlive what is returned. `with_state`: it takes the state buffer as one more
  // argument. Throws DeviceError.
  virtual std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) = 0;

  // Writes `bytes` to the state buffer, from byte `at` on. They stay there until somebody
  // overwrites them. Throws DeviceError.
  virtual void write_state(std::size_t at, std::span<const std::byte> bytes) = 0;

  // Return what the latest run left. `output`: index into the positions that the machine was given.
  virtual std::span<const std::byte> content(std::size_t output) const = 0;
  virtual std::string overrun() const = 0; // "kernel 'x' wrote 3 bytes past the end …"; empty: none
  // Returns what the kernel did that no kernel may do. The simulator alone tells.
  virtual std::optional<model::Finding> finding() const { return std::nullopt; }
  // Returns all findings, as finding().
  virtual std::vector<model::Finding> findings() const { return {}; }
};

} // namespace gputest::runtime
