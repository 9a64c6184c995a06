// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/device_code.h"

namespace gputest::simulator {

// The cache keeps it like code, under a name that no kernel has.
ir::CompiledCuda device_code_of(const ir::Source& source, const std::string& kernel,
                                const Cache& cache) {
  const CodeVariant name{.kernel = "device code of " + kernel};
  if (std::optional<Code> kept = cache.find(source, name))
    return {std::move(kept->object), std::move(kept->shape.name), {}};
  ir::CompiledCuda made = ir::compile_cuda(source, kernel);
  Code code;
  code.shape.name = made.kernel;
  code.object = made.device_code;
  cache.keep(source, name, made.dependencies, code);
  return made;
}

ir::Source with_device_code(ir::Source source, const std::string& kernel, const Cache& cache) {
  if (!source.by_itself || !source.device_code.empty())
    return source;
  ir::CompiledCuda made = device_code_of(source, kernel, cache);
  source.device_code = std::move(made.device_code);
  source.entry = std::move(made.kernel);
  return source;
}

} // namespace gputest::simulator
