#include "ir/kernel_module.h"

#include "ir/cuda/by_itself.h"
#include "ir/cuda/compile.h"
#include "ir/cuda/device_code.h"

namespace gputest::simulator {

CompiledSource compile_for(const std::string& kernel, const Source& source,
                           llvm::LLVMContext& context) {
  if (source.by_itself) {
    CompiledCuda compiled{source.device_code, source.entry, {}};
    if (compiled.device_code.empty())
      compiled = compile_cuda(source, kernel);
    CompiledSource result{device_kernel(compiled.device_code, compiled.kernel, context),
                          std::move(compiled.dependencies)};
    be_by_itself(*result.module, compiled.kernel, kernel);
    return result;
  }
  if (!source.device_code.empty())
    return {device_kernel(source.device_code, kernel, context), {}};
  return compile(source, context);
}

} // namespace gputest::simulator
