#include "ir/cuda/ptx/module.h"
#include "tests/fuzz/targets.h"

namespace gputest::fuzz {

bool ptx(Bytes bytes) {
  try {
    llvm::LLVMContext context;
    const auto module = simulator::read_ptx(std::string(text_of(bytes)), "module.ptx", context);
    simulator::refuse_undefined(*module);
    return true;
  } catch (const simulator::PtxError&) {
    return false;
  }
}

} // namespace gputest::fuzz
