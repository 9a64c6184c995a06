// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/texels.h"

#include "ir/accesses.h"

#include <algorithm>
#include <array>
#include <llvm/IR/Module.h>
#include <utility>

namespace gputest::memory {
namespace {

constexpr unsigned kArgumentBlock = 1; // argument of the item: the block of the kernel's arguments

} // namespace

std::optional<Reference::Kind> texel_access(const llvm::Instruction& instruction) {
  using Kind = Reference::Kind;
  constexpr std::array<std::pair<const char*, Kind>, 5> kFunctions{
      {{"gputest_read_image", Kind::Read},
       {"gputest_fetch_image", Kind::Read},
       {"gputest_block_read", Kind::Read},
       {"gputest_write_image", Kind::Write},
       {"gputest_block_write", Kind::Write}}};
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction())
    return std::nullopt;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  const auto function = std::ranges::find_if(
      kFunctions, [&](const auto& one) { return name.starts_with(one.first); });
  return function == kFunctions.end() ? std::nullopt : std::optional(function->second);
}

std::vector<unsigned> images_of(const ir::KernelShape& shape) {
  std::vector<unsigned> images;
  for (unsigned i = 0; i < shape.parameters.size(); ++i)
    if (shape.parameters[i].kind == ir::Parameter::Kind::Image)
      images.push_back(i);
  return images;
}

std::optional<std::uint32_t> image_of(const llvm::CallInst& call, const ir::KernelShape& shape,
                                      const std::vector<unsigned>& images) {
  const auto parameter = ir::parameter_of(call.getArgOperand(0)->stripPointerCasts(), shape);
  const auto found = parameter ? std::ranges::find(images, *parameter) : images.end();
  if (found == images.end())
    return std::nullopt;
  return static_cast<std::uint32_t>(found - images.begin());
}

llvm::Value* build_image_of(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                            const ir::KernelShape& shape, const std::vector<unsigned>& images) {
  if (const auto known = image_of(call, shape, images))
    return builder.getInt64(*known);
  // Each argument has a handle of its own.
  llvm::Type* const pointer = builder.getPtrTy();
  llvm::Value* const handle = builder.CreateAddrSpaceCast(call.getArgOperand(0), pointer);
  llvm::Value* number = builder.getInt64(0);
  for (std::uint32_t i = 1; i < images.size(); ++i) {
    llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), call.getFunction()->getArg(kArgumentBlock),
        shape.parameters[images[i]].offset);
    llvm::Value* const own = builder.CreateLoad(pointer, place);
    number = builder.CreateSelect(builder.CreateICmpEQ(handle, own), builder.getInt64(i), number);
  }
  return number;
}

} // namespace gputest::memory
