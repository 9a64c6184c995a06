// PTX's instructions of textures and surfaces, by their objects.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::simulator {

bool is_of_texture(const PtxTexts& parts); // tex, tld4, txq, suld, sust, suq

// Calls of functions that link_texture_functions() gives; false: unknown.
bool access_texture(const PtxStep& step);

// Links what the module calls of templates/simulator/textures.cu, which the headers of
// gputest-cuda make code of. Throws SourceError.
void link_texture_functions(llvm::Module& module);

} // namespace gputest::simulator
