// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of images, which kernels make by functions of the simulator (simulator/memory/images.h).
#pragma once

#include "ir/kernel.h"
#include "memory/model/trace.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace gputest::memory {

// Returns whether the instruction reads or writes texels; nullopt: neither.
std::optional<Reference::Kind> texel_access(const llvm::Instruction& instruction);

// Returns the parameters that are images.
std::vector<unsigned> images_of(const ir::KernelShape& shape);

// Returns the image that a call accesses, by its index in `images`; nullopt: the optimiser has made
// one call of those of several images.
std::optional<std::uint32_t> image_of(const llvm::CallInst& call, const ir::KernelShape& shape,
                                      const std::vector<unsigned>& images);

// Builds the same for a run.
llvm::Value* build_image_of(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                            const ir::KernelShape& shape, const std::vector<unsigned>& images);

} // namespace gputest::memory
