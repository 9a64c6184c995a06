// Compiled kernels on disk, shared by any number of processes.
#pragma once

#include "simulator/execute/variant.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {

// The folder "simulator" of the cache (model/files.h); empty where none can be made: nothing is
// kept then.
std::filesystem::path cache_folder();

// 64 hexadecimal digits that stand for all of these texts, and for this build of the program: what
// another one made is not taken.
std::string content_name(const std::vector<std::string>& parts);

// A file for each variant of each source and each effort, named after the content of all that it
// depends on. Files are complete or not there; one that cannot be read counts as not there.
class Cache {
public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The code of `source` if what it includes is as it was when it was compiled.
  std::optional<Code> find(const Source& source, const CodeVariant& variant,
                           Effort effort = Effort::Full) const;
  void keep(const Source& source, const CodeVariant& variant,
            const std::vector<std::string>& dependencies, const Code& code,
            Effort effort = Effort::Full) const;

private:
  std::filesystem::path file_of(const Source& source, const CodeVariant& variant,
                                Effort effort) const;
  std::filesystem::path folder_;
};

} // namespace gputest::simulator
