// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the kernels and variables of device code as PTX declarations, for programs that read PTX to
// find them.
#pragma once

#include <string>

namespace gputest::cuda::compiler {

// Reads LLVM assembly. Returns a line ".visible .entry <kernel>();" for each kernel and ".visible
// .global .b8 <variable>;" for each device variable. " = <function>" follows a variable that holds
// the address of a function.
std::string declarations_of(const std::string& listing);

// Returns LLVM assembly without the variables gputest_name_<n> and gputest_kernel. `names`: gets
// the values of the first ones, each with a newline.
std::string without_names(const std::string& listing, std::string& names);

} // namespace gputest::cuda::compiler
