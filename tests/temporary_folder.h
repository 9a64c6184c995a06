// A folder of a test's own, gone when the test ends.
#pragma once

#include "process/scratch_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace gputest::tests {

class TemporaryFolder : public process::ScratchFolder {
public:
  TemporaryFolder() : process::ScratchFolder("gputest-test") {}

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << text;
    return path() / name;
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path() / name, std::ios::binary).rdbuf();
    return text.str();
  }
};

// What `call` throws, as text; empty if it throws nothing of type Error.
template <class Error, class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace gputest::tests
