// Runs a kernel in a process of its own and records what it does to memory.
//
//     Tracer tracer({.name = "k.cl", .text = text}, "k");
//     LaunchTrace trace = tracer.trace({.global_size = {64, 1, 1}, .local_size = {32, 1, 1},
//                                       .arguments = …}, 32);
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "memory/model/trace.h"
#include "memory/static/classify.h"
#include "simulator/execute/launch.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gputest::memory {

using simulator::GivenArgument; // neither Image nor Sampler

struct TracedLaunch {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global_size{1, 1, 1}, local_size{1, 1, 1}, global_offset{0, 0, 0};
  std::vector<GivenArgument> arguments{};
  double limit = 60;                               // seconds; 0: any
  std::size_t most_bytes = std::size_t{512} << 20; // of the trace
};

// What is known of each takes some 140 bytes.
constexpr std::size_t kMostWorkItems = std::size_t{1} << 24; // of a launch

class Tracer {
public:
  // Compiles. Throws SourceError, InputError and SimulatorFailure, as the simulator does;
  // SourceError for images, too.
  Tracer(const simulator::Source& source, const std::string& kernel);
  Tracer(Tracer&&) noexcept;
  ~Tracer();

  const simulator::KernelShape& shape() const;

  // What the static analysis knows of the code: branches and what each leads to.
  const StaticProgram& program() const;

  // The linear local ids of a warp follow each other. Throws InputError where sizes or arguments
  // are not the kernel's or make more than kMostWorkItems, where the kernel faults or takes longer
  // than the limit, with the place, and where the trace would be larger than `most_bytes`.
  // `results`: what buffers hold afterwards, one after the other.
  LaunchTrace trace(const TracedLaunch& launch, std::size_t warp_size,
                    std::vector<std::byte>* results = nullptr) const;

  // Without running it: what the nearest cache of the GPU is sure to do (classify.h). Throws
  // InputError where sizes or arguments are not the kernel's, or make more than kMostWorkItems.
  StaticReport classify(const TracedLaunch& launch, const Gpu& gpu) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::memory
