// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links between the index and the pages of kinds: the index to a kernel's row, and each page back
// to the index.
#pragma once

#include <string>

namespace gputest::report {

// Returns the id that a kernel's row has in the page of each kind: "kernel-sum-add". An empty name
// is that of the kernel.
std::string kernel_id(const std::string& name, const std::string& kernel);

// Returns HTML, elements with the ids of a kernel. Merged results have several names, with commas
// between them: "sum, sum_large".
std::string kernel_ids(const std::string& names, const std::string& kernel);

// Returns the page with a link to the index at its top left. Other text is returned as it is.
std::string with_link_back(std::string page, const std::string& index);

} // namespace gputest::report
