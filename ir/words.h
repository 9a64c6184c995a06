// Messages in the words of the language that the kernel is written in.
#pragma once

#include "ir/kernel.h"

#include <string>

namespace gputest::simulator {

// "work-item (3) of group (1)" is "thread (3) of block (1)" in CUDA. What is quoted stays.
std::string in_words_of(Language language, std::string message);

} // namespace gputest::simulator
