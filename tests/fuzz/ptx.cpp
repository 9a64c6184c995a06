#include "ir/cuda/ptx/module.h"
#include "tests/fuzz/targets.h"

namespace gputest::fuzz {

bool ptx(Bytes bytes) {
  try {
    llvm::LLVMContext context;
    const auto module = ir::read_ptx(std::string(text_of(bytes)), "module.ptx", context);
    ir::refuse_undefined(*module);
    return true;
  } catch (const ir::PtxError&) {
    return false;
  }
}

} // namespace gputest::fuzz
