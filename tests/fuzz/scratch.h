// Bytes as a file: the same file for each input, because a new one takes longer than reading it.
#pragma once

#include "process/scratch_folder.h"
#include "tests/fuzz/targets.h"

#include <fstream>

namespace gputest::fuzz {

class Scratch {
public:
  // Throws std::filesystem::filesystem_error.
  std::filesystem::path file(const std::string& name, Bytes bytes) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text_of(bytes);
    return path;
  }
  const std::filesystem::path& path() const { return folder_.path(); }

private:
  process::ScratchFolder folder_{"gputest-fuzz"};
};

} // namespace gputest::fuzz
