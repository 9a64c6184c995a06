// What the library reads from the environment, and writes as JSON.
#pragma once

#include <string>

namespace gputest::cuda {

std::string environment(const char* name); // empty: not set
std::string quoted(const std::string& text);

} // namespace gputest::cuda
