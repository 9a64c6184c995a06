// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/warp_size.h"

#include "ir/error.h"
#include "ir/sub_group_size.h"
#include "model/cuda_environment.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gputest::ir {
namespace {

constexpr unsigned kUsual = 32;

// Whether the code has the marker, a function that nothing calls.
bool take_marker(llvm::Module& module, const std::string& name) {
  llvm::Function* const marker = module.getFunction(name);
  if (!marker)
    return false;
  marker->replaceAllUsesWith(llvm::PoisonValue::get(marker->getType())); // in llvm.used
  marker->eraseFromParent();
  return true;
}

// Returns the size with such a marker; 0: none. 64, if different units have both.
unsigned marked(llvm::Module& module, std::string_view kind) {
  unsigned size = 0;
  for (const unsigned one : {32U, 64U})
    if (take_marker(module, fmt::format("gputest_{}_warp_size_{}", kind, one)))
      size = one;
  return size;
}

} // namespace

unsigned wanted_warp_size() {
  const char* const value = std::getenv(model::kWarpSize);
  if (!value || !*value)
    return 0;
  const std::string_view text = value;
  if (text != "32" && text != "64")
    throw InputError(
        fmt::format("{}: '{}' is no size of a warp: 32 and 64 are", model::kWarpSize, text));
  return text == "64" ? 64 : 32;
}

void choose_warp_size(llvm::Module& module) {
  const unsigned by_default = marked(module, "default"), fixed = marked(module, "fixed");
  const unsigned wanted = wanted_warp_size();
  if (fixed && wanted && fixed != wanted)
    throw SourceError(fmt::format(
        "error: warps of {} threads are asked for ({}), but device code of the program uses "
        "warpSize as a constant, so it is compiled for {}; compile it with -DGPUTEST_WARP_SIZE={}",
        wanted, model::kWarpSize, fixed, wanted));
  const unsigned size = fixed ? fixed : wanted ? wanted : by_default ? by_default : kUsual;
  llvm::Type* const word = llvm::Type::getInt32Ty(module.getContext());
  if (llvm::GlobalVariable* const variable = module.getGlobalVariable("warpSize");
      variable && variable->isDeclaration() && variable->getValueType() == word) {
    variable->setInitializer(llvm::ConstantInt::get(word, size));
    variable->setExternallyInitialized(false);
    variable->setConstant(true);
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  decide_lanes(module, size);
}

void settle_warp_size(llvm::Module& module) {
  llvm::Function* const asked = module.getFunction(kWarpSizeFunction);
  if (!asked)
    return;
  const unsigned size = warp_size_of(module);
  for (llvm::User* user : llvm::make_early_inc_range(asked->users()))
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) {
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), size));
      call->eraseFromParent();
    }
}

unsigned warp_size_of(const llvm::Module& module) {
  return decided_lanes(module);
}

} // namespace gputest::ir
