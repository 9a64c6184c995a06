// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's command lines for the sources of CUDA programs.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/toolkit.h"

namespace gputest::cuda::compiler {

// Returns Clang's command with the headers of our own toolkit, for host or device, without a
// source.
Arguments own_arguments(const Command& command, const Toolkit& toolkit);
// Adds the command's options for device code, and those for the host that change how Clang parses
// it.
Arguments with_device_options(const Command& command, Arguments arguments);

// Returns the architectures of the command, at least one. The latest that Clang knows stands for
// all later ones.
std::vector<unsigned> architectures(const Command& command);
bool are_all_known(const Command& command); // false if the command names none

// Returns the folders of -I, -isystem and -iquote, in their order.
std::vector<std::string> include_folders(const Command& command);

// Says where gcov finds the notes of a program that is compiled and linked at once: not beside its
// object, which is deleted.
Arguments coverage_files(const Command& command, const std::string& source);

// Returns Clang's command for the device with the headers of NVIDIA's toolkit in `root`, for the
// first of architectures().
Arguments nvidia_device_arguments(const Command& command, const Toolkit& toolkit,
                                  const std::filesystem::path& root);

// Options that name warnings of GCC alone are no errors.
constexpr const char* kWarningsOfGcc = "-Wno-error=unknown-warning-option";

// What Clang is started with for C++, and for linking.
Arguments host_arguments(const Command& command, const Toolkit& toolkit);

// The same for a source of C, which nvcc, too, gives to a compiler of C.
Arguments arguments_for_c(const Command& command, const Toolkit& toolkit, const std::string& source,
                          const std::filesystem::path& object);

} // namespace gputest::cuda::compiler
