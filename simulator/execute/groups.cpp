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

// All __local variables have been placed, so the code need not fill any.
void add_empty_fill(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* const fill = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt8Ty()}, false),
      llvm::Function::ExternalLinkage, "gputest_fill_local", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", fill));
  builder.CreateRetVoid();
}

} // namespace

void link_groups(llvm::Module& module, const KernelShape& shape, const std::string& definitions) {
  add_empty_fill(module);
  std::string text = definitions;
  if (shape.has_barriers)
    text += fmt::format("#define GPUTEST_BARRIERS 1\n#define GPUTEST_FRAME_SIZE {}ull\n",
                        shape.frame_size);
  text += fmt::format("#define GPUTEST_WARP_LANES {}\n", shape.warp_size);
  text += embedded::context_h;
  if (shape.warps)
    text += embedded::answers_c;
  text += shape.warps ? embedded::warps_c : embedded::groups_c;
  std::unique_ptr<llvm::Module> groups = compile_c(text, module.getContext());
  retarget(*groups);
  if (llvm::Linker::linkModules(module, std::move(groups)))
    throw SimulatorFailure("the simulator's own code cannot be linked");
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getName() != "gputest_group")
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace gputest::simulator
