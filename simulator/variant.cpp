#include "simulator/variant.h"

#include "embedded/context_h.h"
#include "embedded/groups_c.h"
#include "simulator/coroutine.h"
#include "simulator/error.h"
#include "simulator/host.h"
#include "simulator/lower.h"
#include "simulator/optimise.h"

#include <fmt/format.h>
#include <llvm/Linker/Linker.h>

namespace gputest::simulator {

std::string Variant::name() const {
  return fmt::format("{} {}", kernel, ordered ? "ordered" : "ascending");
}

Code make_code(llvm::Module& module, const Variant& variant) {
  Code code;
  code.shape = lower(module, variant.kernel);
  std::string text;
  if (variant.ordered)
    text += "#define GPUTEST_ORDERED 1\n";
  if (code.shape.has_barriers) {
    make_coroutine(module, code.shape);
    text += fmt::format("#define GPUTEST_BARRIERS 1\n#define GPUTEST_FRAME_SIZE {}ull\n",
                        code.shape.frame_size);
  }
  text += embedded::context_h;
  text += embedded::groups_c;
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
  optimise(module);
  code.object = emit_object(module);
  return code;
}

} // namespace gputest::simulator
