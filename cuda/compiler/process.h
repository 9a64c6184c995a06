// Programs that a compiler starts.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

using Arguments = std::vector<std::string>;
inline void append(Arguments& all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Its exit code. Throws std::runtime_error if it cannot be started.
int start(const Arguments& arguments, bool verbose);

// The same. `output` gets what the program prints.
int start_quietly(const Arguments& arguments, const std::string& output, bool verbose);

} // namespace gputest::cuda::compiler
