// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels on disk, shared by any number of processes.
#pragma once

#include "simulator/execute/variant.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {

// Returns the folder "simulator" of the cache (model/files.h); empty if it cannot be made: then
// nothing is kept.
std::filesystem::path cache_folder();

// Returns 64 hexadecimal digits, a hash of these texts and of this build of the program. So code of
// other builds is never used.
std::string content_name(const std::vector<std::string>& parts);

// Each variant of a source has a file for each effort, named after the content of everything that
// it depends on. A file that cannot be read counts as missing. Incomplete files never exist.
class Cache {
public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the code of `source`, unless an included file has changed since it was compiled.
  std::optional<Code> find(const ir::Source& source, const CodeVariant& variant,
                           ir::Effort effort = ir::Effort::Full) const;
  void keep(const ir::Source& source, const CodeVariant& variant,
            const std::vector<std::string>& dependencies, const Code& code,
            ir::Effort effort = ir::Effort::Full) const;
  // Adds to the time for which processes have run code that was made with Effort::Quick.
  void note_run(const ir::Source& source, const CodeVariant& variant, double seconds) const;

private:
  std::filesystem::path file_of(const ir::Source& source, const CodeVariant& variant,
                                ir::Effort effort) const;
  std::filesystem::path folder_;
};

} // namespace gputest::simulator
