// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what CUDA's headers mark with __attribute__((annotate("gputest.…"))).
#pragma once

#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace gputest::ir {

// Returns the names of __managed__ variables.
std::set<std::string> managed_variables(const llvm::Module& module);

// Returns the numbers of __cluster_dims__ by the kernel's name.
std::map<std::string, std::array<std::uint64_t, 3>> clusters_of_kernels(const llvm::Module& module);

} // namespace gputest::ir
