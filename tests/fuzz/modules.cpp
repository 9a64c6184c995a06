// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/declarations.h"
#include "ir/spirv/places.h"
#include "model/interface.h"
#include "tests/fuzz/targets.h"

namespace gputest::fuzz {

bool modules(Bytes bytes) {
  try {
    const model::SpirvModule module(std::string(text_of(bytes)), "module.spv");
    frontend::declarations_of(module, "module.spv");
    frontend::parameter_names(module);
    ir::with_places(module, "module.spv");
    return true;
  } catch (const model::FormatError&) {
    return false;
  }
}

} // namespace gputest::fuzz
