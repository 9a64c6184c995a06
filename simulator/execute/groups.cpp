// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/groups.h"

#include "embedded/answers_c.h"
#include "embedded/context_h.h"
#include "embedded/groups_c.h"
#include "embedded/warps_c.h"
#include "ir/error.h"
#include "ir/frontend.h"
#include "ir/host.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>

namespace gputest::simulator {
namespace {

// Defines gputest_fill_local(), which groups.c calls.
void add_fill_local(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* const fill = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt8Ty()}, false),
      llvm::Function::ExternalLinkage, "gputest_fill_local", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", fill));
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == ir::kLocalSpace && !variable.use_empty())
      builder.CreateMemSet(
          &variable, fill->getArg(0),
          module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue(),
          variable.getAlign());
  builder.CreateRetVoid();
}

} // namespace

void link_groups(llvm::Module& module, const ir::KernelShape& shape, const GroupCode& code) {
  add_fill_local(module);
  std::string text = code.definitions;
  if (shape.has_barriers)
    text += fmt::format("#define GPUTEST_BARRIERS 1\n#define GPUTEST_FRAME_SIZE {}ull\n",
                        shape.frame_size);
  text += fmt::format("#define GPUTEST_WARP_LANES {}\n", shape.warp_size);
  text += embedded::context_h;
  if (shape.warps)
    text += embedded::answers_c;
  text += code.file.value_or(shape.warps ? embedded::warps_c : embedded::groups_c);
  text += code.functions;
  std::unique_ptr<llvm::Module> groups = ir::compile_c(text, module.getContext());
  ir::retarget(*groups);
  if (llvm::Linker::linkModules(module, std::move(groups)))
    throw ir::SimulatorFailure("the simulator's own code cannot be linked");
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getName() != "gputest_group" &&
        function.getName() != "gputest_step")
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace gputest::simulator
