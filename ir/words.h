// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates messages to the words of the kernel's language.
#pragma once

#include "ir/kernel.h"

#include <string>

namespace gputest::ir {

// For CUDA, "work-item (3) of group (1)" becomes "thread (3) of block (1)". Quoted text does not
// change.
std::string in_words_of(Language language, std::string message);

} // namespace gputest::ir
