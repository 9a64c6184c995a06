// Launches of one compiled kernel again and again, in this process, with memory that stays.
#pragma once

#include "simulator/execute/arena.h"
#include "simulator/execute/frames.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "testgen/concolic/inputs.h"
#include "testgen/inputs/input.h"
#include "testgen/outcome.h"
#include "testgen/target.h"

#include <list>
#include <span>

namespace gputest::testgen {

// The most bytes that an argument of an input has.
constexpr std::size_t kMostBytes = std::size_t{1} << 18;

// What sampler_t holds for a choice of kSamplers, and an image without its pixels.
std::uint32_t sampler_bits(std::uint32_t choice);
simulator::Image image_of(const KernelArgument& argument, const Content& content);

// How a launch of any variant ended.
struct Ended {
  Fault fault = Fault::None;
  bool outside = false, harmful = false;             // what checks found, as in Outcome
  std::vector<simulator::Monitor::Extent> extents{}; // by argument
};

class Launcher {
public:
  // `ready`: a variant with a state buffer. `local_fill`: each byte of __local memory when a group
  // begins. Throws SimulatorFailure.
  Launcher(const Target& target, const simulator::Program::Ready& ready,
           std::uint8_t local_fill = 0);

  // Both are to be called on a thread of simulator::on_large_stack(). After a fault: end the
  // process. `run`: of the instrumented kernel, with the check of bounds.
  Outcome run(const Input& input, double limit);
  Ended launch(const Input& input, std::span<const std::byte> state, double limit);

  // What the latest launch left in memory that is an argument's, and behind these in the state.
  std::span<const std::byte> memory(std::size_t argument) const;

private:
  void place(const Input& input, std::span<const std::byte> state);

  const Target& target_;
  const simulator::Program::Ready& ready_;
  simulator::Arena arena_;
  simulator::Region nowhere_;
  std::vector<std::size_t> regions_; // of the objects, by number: index in the arena
  std::vector<int> region_of_;       // by parameter: index in the arena; -1: none
  std::vector<gputest_context::gputest_object> objects_;
  std::uint8_t local_fill_;
  simulator::Frames frames_;
  std::vector<std::uint32_t> state_; // of the instrumented kernel, as run() begins with
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  std::vector<Block> block_;
  std::list<simulator::Image> images_;
};

// The memory of arguments as `simulator::launch()` takes it, in a file of its own: for launches
// that are made seldom.
class LaunchFile {
public:
  LaunchFile();
  LaunchFile(const LaunchFile&) = delete;
  LaunchFile& operator=(const LaunchFile&) = delete;
  ~LaunchFile();

  // Throws SimulatorFailure.
  simulator::LaunchRequest write(const Target& target, const simulator::KernelShape& shape,
                                 const Input& input);
  std::vector<runtime::Bytes> read(const simulator::LaunchRequest& request) const;
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

} // namespace gputest::testgen
