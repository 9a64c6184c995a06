// How Clang reads a CUDA source.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/toolkit.h"

namespace gputest::cuda::compiler {

// With the headers of our own toolkit, for host or device; the command has no source.
Arguments own_arguments(const Command& command, const Toolkit& toolkit);
// The same for the device alone.
Arguments own_device_arguments(const Command& command, const Toolkit& toolkit);

// The architectures that the command asks for, without those that Clang does not know: it reads the
// source for the latest that it knows. At least one.
std::vector<unsigned> architectures(const Command& command);
bool are_all_known(const Command& command); // and named

// The folders that -I and its like name, in their order.
std::vector<std::string> include_folders(const Command& command);

// For the device, with the headers of NVIDIA's toolkit in `root`, and for the first architecture
// that the command asks for.
Arguments nvidia_device_arguments(const Command& command, const Toolkit& toolkit,
                                  const std::filesystem::path& root);

} // namespace gputest::cuda::compiler
