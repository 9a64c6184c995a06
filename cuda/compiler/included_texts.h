// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts that a command compiles, with what they include: each is read once, for device and host
// code.
#pragma once

#include "frontend/cuda/included_files.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gputest::cuda::compiler {

class IncludedTexts {
public:
  // `folders`: those of -I.
  explicit IncludedTexts(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // The folders of a text that includes from `folder` first; "": from its own folder.
  std::vector<std::string> folders(const std::filesystem::path& folder) const {
    std::vector<std::string> all = folders_;
    if (!folder.empty())
      all.insert(all.begin(), folder.string());
    return all;
  }

  const std::vector<frontend::cuda::IncludedFile>& of(const std::filesystem::path& text,
                                                      const std::filesystem::path& folder) {
    const auto [found, is_new] = known_.try_emplace({text, folder});
    if (is_new)
      found->second = frontend::cuda::included_files(text, folders(folder));
    return found->second;
  }

private:
  std::vector<std::string> folders_;
  std::map<std::pair<std::filesystem::path, std::filesystem::path>,
           std::vector<frontend::cuda::IncludedFile>>
      known_;
};

} // namespace gputest::cuda::compiler
