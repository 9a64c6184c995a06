#include "simulator/execute/program.h"

#include "ir/builtins.h"
#include "ir/kernel_module.h"
#include "simulator/execute/device_code.h"
#include "simulator/execute/natives.h"

namespace gputest::simulator {
namespace {

Code compile_variant(const Source& source, const CodeVariant& variant, const Cache& cache) {
  const Source whole = with_device_code(source, variant.kernel, cache);
  if (std::optional<Code> code = cache.find(whole, variant))
    return std::move(*code);
  llvm::LLVMContext context;
  const bool cuda = !whole.device_code.empty();
  CompiledSource compiled = compile_for(variant.kernel, whole, context);
  link_builtins(*compiled.module, source.cl_std, !variant.interleaved && !cuda);
  Code code = make_code(*compiled.module, variant);
  cache.keep(whole, variant, compiled.dependencies, code);
  return code;
}

} // namespace

Program::Program(Source source, const Cache& cache) : source_(std::move(source)), cache_(cache) {}

const Program::Ready& Program::kernel(const CodeVariant& variant) {
  const std::string name = variant.name();
  auto found = ready_.find(name);
  if (found == ready_.end()) {
    Code code = compile_variant(source_, variant, cache_);
    LoadedCode loaded(code.object, native_symbols(variant.checks), variant.checks);
    found = ready_.emplace(name, Ready{std::move(code.shape), std::move(loaded)}).first;
  }
  return found->second;
}

} // namespace gputest::simulator
