// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's instructions for texture and surface objects.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::ir {

bool is_of_texture(const PtxTexts& parts); // tex, tld4, txq, suld, sust, suq

// Translates the instruction to calls of functions that link_texture_functions() links; false: it
// is unknown.
bool access_texture(const PtxStep& step);

// Compiles templates/simulator/textures.cu with gputest-cuda's headers, and links the functions
// that the module calls. Throws SourceError.
void link_texture_functions(llvm::Module& module);

} // namespace gputest::ir
