// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches one compiled kernel many times in this process, and keeps the memory between launches.
#pragma once

#include "process/memory_file.h"
#include "simulator/execute/frames.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "simulator/memory/arena.h"
#include "testgen/concolic/inputs.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"
#include "testgen/outcome.h"

#include <list>
#include <optional>
#include <span>

namespace gputest::testgen {

// sampler_bits() returns the value of sampler_t for an index in kSamplers. image_of() returns the
// description of an image, without its pixels.
std::uint32_t sampler_bits(std::uint32_t choice);
simulator::Image image_of(const KernelArgument& argument, const Content& content);

// The end of a launch of any variant.
struct Ended {
  Fault fault = Fault::None;
  bool outside = false, harmful = false, late = false; // as in Outcome
  std::vector<simulator::Monitor::Extent> extents{};   // by argument
};

class Launcher {
public:
  // `ready`: a variant with a state buffer; must outlive the launcher, as must `target`. Throws
  // SimulatorFailure.
  Launcher(const Target& target, const simulator::Program::Ready& ready);

  // All must be called on a thread of simulator::on_large_stack(), with an input that fits().
  // After a fault the process must end, unless is_intact(). run() is for the instrumented kernel
  // with the check of bounds; check() is for the original with checks; launch() is for any variant
  // and begins with `state` in the state buffer.
  Outcome run(const Input& input, LaunchLimit limit);
  Checked check(const Input& input, LaunchLimit limit);
  Ended launch(const Input& input, std::span<const std::byte> state, LaunchLimit limit);

  // Whether nothing but the kernel itself was interrupted by a launch that does not end, in code
  // without checks that keep anything from launch to launch.
  bool is_intact() const { return is_intact_; }

  // Whether any launch has ended by LaunchLimit::seconds: on another machine, it may go on.
  bool is_late() const { return is_late_; }

  // Whether no argument has more than kMostBytes, and no work-group more than kMostItemsOfGroup.
  static bool fits(const Input& input);

  // Returns what the latest launch left in an argument's memory. The number after the last argument
  // stands for the state buffer.
  std::span<const std::byte> memory(std::size_t argument) const;

private:
  void place(const Input& input, std::span<const std::byte> state);
  // Launches with a monitor of its own, which keeps a reference to the context.
  std::optional<simulator::Fault> launch(const Input& input, std::span<const std::byte> state,
                                         LaunchLimit limit, gputest_context& context,
                                         std::optional<simulator::Monitor>& monitor);

  const Target& target_;
  const simulator::Program::Ready& ready_;
  simulator::Arena arena_;
  simulator::Region nowhere_;
  std::vector<std::size_t> regions_; // by object: its index in the arena
  std::vector<int> region_of_;       // by parameter: its index in the arena; -1: none
  std::vector<gputest_context::gputest_object> objects_;
  simulator::Frames frames_;
  std::vector<std::uint32_t> state_; // what run() begins with
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  std::vector<Block> block_;
  std::list<simulator::Image> images_;
  bool is_intact_ = true, is_late_ = false;
};

// A file with the memory of arguments for `simulator::launch()`, for launches that are rare, or
// whose inputs do not fit a Launcher.
class LaunchFile {
public:
  Checked launch(const Target& target, const simulator::Program::Ready& kernel, const Input& input,
                 LaunchLimit limit, const simulator::Order& order);

private:
  // Writes the input's memory to the file and returns the request.
  simulator::LaunchRequest write(const Target& target, const ir::KernelShape& shape,
                                 const Input& input);
  // Returns what the launch left, by argument.
  std::vector<runtime::Bytes> read(const simulator::LaunchRequest& request) const;

  process::MemoryFile file_{"gputest-generate"};
};

} // namespace gputest::testgen
