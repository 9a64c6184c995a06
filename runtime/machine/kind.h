// The kinds of machines that kernels run on. A kind is one row of the table in
// runtime/harness/registry.cpp and one folder here; CONTRIBUTING.md, "Add a device".
#pragma once

#include "model/language.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gputest::runtime {

// What a kind is told when a machine of it is opened.
struct MachineRequest {
  std::string device{};              // as DEVICE, --device or GPUTEST_DEVICE say; may be empty
  std::filesystem::path simulator{}; // gputest-simulator, as the build knew it; empty: none
  Simulation simulation{};           // for kinds that take instructions
};

struct MachineKind {
  std::string_view name; // as users write it for DEVICE

  // Every kind runs variants of kernels, and with them coverage, mutants and remapped ids. Some can
  // do more. With any of these Machine::simulation() is there:
  bool orders = false;        // runs launches in an order that it is told
  bool checks = false;        // says what a kernel does that no kernel may do
  bool interleavings = false; // BuiltKernel::explore
  bool stands_in = false;     // computes what a device would: --compare runs it beside one
  bool opencl = true;         // runs kernels of OpenCL C
  bool cuda = false;          // runs kernels of CUDA files

  // Throws NoDevice, UsageError where no machine fits `device`, DeviceError.
  std::unique_ptr<Machine> (*open)(const MachineRequest& request) = nullptr;
  // A line for each machine of the kind, for --list-devices; empty: there is none. Throws NoDevice.
  std::string (*list)(const MachineRequest& request) = nullptr;
};

// The kind that `device` means for a kernel in `language`; empty: GPUTEST_DEVICE counts. Of those
// that run the language it is the one of that name. Else it is the one that knows more names than
// its own: for OpenCL C the first of all kinds; for CUDA the one that runs nothing else, or, where
// nobody names a GPU, the first that runs CUDA. In GPUTEST_DEVICE, which may be about OpenCL, "gpu"
// and what begins with "cuda" name one. Throws nothing.
const MachineKind& kind_for(std::span<const MachineKind> kinds, const std::string& device,
                            model::Language language);

// The first kind that can do something, such as &MachineKind::checks. Throws UsageError.
const MachineKind& kind_that(std::span<const MachineKind> kinds, bool MachineKind::* can);

} // namespace gputest::runtime
