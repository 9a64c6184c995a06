// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel in a process of its own and records its memory accesses.
//
//     Tracer tracer({.name = "k.cl", .text = text}, "k");
//     LaunchTrace trace = tracer.trace({.sizes = {.global = {64, 1, 1}, .local = {32, 1, 1}},
//                                       .arguments = …}, gpu.warps());
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "memory/model/trace.h"
#include "memory/static/classify.h"
#include "memory/trace/device_memory.h"
#include "simulator/execute/launch.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gputest::memory {

using simulator::GivenArgument;

struct TracedLaunch {
  model::Sizes sizes{}; // with a local size
  std::vector<GivenArgument> arguments{};
  double limit = 60;                               // seconds; 0: no limit
  std::size_t most_bytes = std::size_t{512} << 20; // of the trace
  std::size_t lock_step = 0;                       // so many work-items of a group rely on it
  // Where the buffers are, with their contents, unless the arguments have these.
  std::shared_ptr<const DeviceMemory> device{};
  std::shared_ptr<const LaunchTrace> before{}; // LaunchTrace::before
};

// A limit, because each work-item's record takes about 140 bytes.
constexpr std::size_t kMostWorkItems = std::size_t{1} << 24; // of a launch

class Tracer {
public:
  // Compiles the kernel. Throws SourceError, InputError and SimulatorFailure, as the simulator
  // does.
  Tracer(const ir::Source& source, const std::string& kernel);
  Tracer(Tracer&&) noexcept;
  ~Tracer();

  const ir::KernelShape& shape() const;

  // Returns the kernel for the static analysis.
  const StaticKernel& static_kernel() const;

  // Runs the kernel and returns its trace. Warps consist of consecutive linear local ids.
  // `results`: gets the final bytes of buffers and images, one after the other. Throws InputError
  // if sizes or arguments do not fit the kernel, or if there are more than kMostWorkItems. It also
  // throws, with the place, if the kernel faults or exceeds the time limit, and it throws if the
  // trace would exceed `most_bytes`.
  LaunchTrace trace(const TracedLaunch& launch, const WarpShape& warps,
                    std::vector<std::byte>* results = nullptr) const;

  // Returns the proven hits and misses of the GPU's nearest cache, without running the kernel
  // (classify.h). Throws InputError if sizes or arguments do not fit the kernel or exceed
  // kMostWorkItems.
  StaticReport classify(const TracedLaunch& launch, const Gpu& gpu) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::memory
