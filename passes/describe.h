// The describe pass: what a host must know of each kernel.
#pragma once

#include "frontend/parse.h"
#include "model/interface.h"

namespace gputest::passes {

// The kernels of a tree in order of definition. `output` is set for global pointers and images that
// a kernel writes. Sizes and inputs are left to the user.
model::Interface describe(const Tree& tree, const std::string& source_name);

// The host's view of a type; size and layout as on a device with 64-bit addresses.
model::Type describe_type(clang::QualType type, const clang::ASTContext& context);

} // namespace gputest::passes
