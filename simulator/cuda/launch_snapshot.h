// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies what a launch finds: its arguments, and all memory that its kernel can reach.
#pragma once

#include "ir/kernel.h"
#include "model/launches/launch_records.h"
#include "simulator/cuda/device.h"
#include "simulator/cuda/launch.h"

#include <cstdint>
#include <map>
#include <string>

namespace gputest::simulator::cuda {

// A kernel of a module that the program has loaded, and what a launch of it is given.
struct LaunchToKeep {
  std::uint64_t module = 0; // its number
  const std::string& containers;
  const std::map<std::string, std::uint64_t>& variables; // addresses
  const std::string& mangled;
  std::string title; // the kernel's name for people
  const ir::KernelShape& shape;
  const Launch& launch;
};

// Returns the launch with its sizes, parameters and code, but without its memory. Its block of
// arguments must be as large as the shape says.
model::KeptLaunch described(const LaunchToKeep& what);

// Adds arguments, variables and memory. If the kernel can reach more than `most_bytes`, sets
// KeptLaunch::left_out instead.
void add_memory(const LaunchToKeep& what, const Device& device, std::uint64_t most_bytes,
                model::LaunchSnapshot& snapshot);

} // namespace gputest::simulator::cuda
