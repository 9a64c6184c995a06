// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's address is in device code.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstddef>
#include <map>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gputest::ir {

constexpr unsigned kMostThreads = 1024; // of a block, unless the kernel says

// Returns the bytes of the __shared__ variables of fixed size that a kernel and what it calls use.
// `kernels`: those of its module (frontend/llvm_version.h).
std::size_t shared_size(const llvm::Function& kernel,
                        const std::map<const llvm::Function*, unsigned>& kernels);

// Replaces calls of the function kStaticShared (ir/cuda/special_registers.h) by this number, in the
// module of a kernel.
void settle_static_shared(llvm::Module& module, llvm::StringRef kernel);

// Lets the address of a kernel be that of a constant variable that describes it
// (gputest_kernel_description in cuda/include/gputest_cuda/device_facts.h), so that the kernel is
// not part of those that launch it, and has one address in all of them.
void describe_kernels(llvm::Module& module);

} // namespace gputest::ir
