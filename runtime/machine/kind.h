// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of machines that kernels run on. A kind is a row of the table in
// runtime/harness/registry.cpp and a folder here; CONTRIBUTING.md, "Add a device".
#pragma once

#include "model/language.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gputest::runtime {

// A request to a kind to open a machine.
struct MachineRequest {
  std::string device{}; // as in DEVICE, --device or GPUTEST_DEVICE; may be empty
  // Path of gputest-simulator, as the build knew it; empty: unknown.
  std::filesystem::path simulator{};
  Simulation simulation{}; // for kinds that take instructions
};

struct MachineKind {
  std::string_view name; // as users write it for DEVICE

  // Every kind runs variants of kernels: coverage, mutants and remapped ids. Some kinds can do
  // more. A kind with orders, checks or interleavings has Machine::simulation().
  bool orders = false;        // runs launches in an order that it is told
  bool checks = false;        // finds what no kernel may do
  bool interleavings = false; // BuiltKernel::explore
  bool stands_in = false;     // computes what a device does, so --compare runs it beside one
  bool opencl = true;         // runs kernels of OpenCL C
  bool cuda = false;          // runs kernels of CUDA files
  bool runs(model::Language language) const {
    return model::ByLanguage<bool>{.opencl = opencl, .cuda = cuda}[language];
  }

  // Opens a machine. Throws NoDevice, UsageError where no machine fits `device`, and DeviceError.
  std::unique_ptr<Machine> (*open)(const MachineRequest& request) = nullptr;
  // Returns a line for each machine of the kind, for --list-devices; empty: there is none. Throws
  // NoDevice.
  std::string (*list)(const MachineRequest& request) = nullptr;
};

// Returns the kind that `device` means for a kernel in `language`; empty: GPUTEST_DEVICE counts. A
// kind of that name is taken if it runs the language. Otherwise the name is that of a device.
//
// - OpenCL C: the first of all kinds.
// - C++ for OpenCL: the same where `device` names one; otherwise the kind that stands in, because
// few
//   devices have a compiler for it.
// - CUDA: the kind that runs nothing but CUDA. Where nobody names a GPU, it is the first kind that
//   runs CUDA. GPUTEST_DEVICE may be about OpenCL, so only "gpu" and names that begin with "cuda"
//   count there.
//
// Throws nothing.
const MachineKind& kind_for(std::span<const MachineKind> kinds, const std::string& device,
                            model::Language language);

// Returns the first kind that can do something, such as &MachineKind::checks. Throws UsageError
// where none can.
const MachineKind& kind_that(std::span<const MachineKind> kinds, bool MachineKind::* can);

} // namespace gputest::runtime
