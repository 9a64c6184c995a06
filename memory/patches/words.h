// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of a kernel's file: those that say which work-item runs, and whether all places of a word
// are known, also in code that this build leaves out.
#pragma once

#include "frontend/flat_source.h"

#include <functional>
#include <string_view>
#include <vector>

namespace gputest::memory {

// Whether the word asks for ids or sizes of the launch by dimension: get_global_id, threadIdx.
bool asks_in_opencl(std::string_view word);
bool asks_in_cuda(std::string_view word);

// Whether results may depend on the order of work-items in their group: linear ids, sub-groups,
// shuffles, assembly.
bool depends_on_order(std::string_view word);

// Whether the author's text of [begin, end) has words for which `is_meant` holds only at `places`
// (offsets in the flat text), also in code that conditionals leave out, and no directive of the
// file has one. If a place comes from a macro's body, or the text is not all in one file, the
// answer is no.
bool are_all(const frontend::FlatSource& source, unsigned begin, unsigned end,
             const std::vector<unsigned>& places,
             const std::function<bool(std::string_view)>& is_meant);

} // namespace gputest::memory
