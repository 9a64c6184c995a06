// Programs that a compiler starts, and where it keeps what they make on the way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

using Arguments = std::vector<std::string>;
inline void append(Arguments& all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Its exit code. Throws std::runtime_error if it cannot be started.
int start(const Arguments& arguments, bool verbose);

class TemporaryFolder { // gone at the end
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::filesystem::path path;
};

} // namespace gputest::cuda::compiler
