// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The describe pass lists what a host must know about each kernel.
#pragma once

#include "frontend/parse.h"
#include "model/interface.h"

#include <string>
#include <vector>

namespace gputest::passes {

// Returns the kernels of a tree, in order of definition. `output` is set for global pointers and
// images that a kernel writes. The user sets sizes and inputs.
model::Interface describe(const frontend::Tree& tree, const std::string& source_name);

// Returns the templates of kernels of which the file makes nothing, so that they cannot be
// launched.
std::vector<std::string> unused_templates(const frontend::Tree& tree);

// The host's view of a type. Size and layout are those on a device with 64-bit addresses.
model::Type describe_type(clang::QualType type, const clang::ASTContext& context);

} // namespace gputest::passes
