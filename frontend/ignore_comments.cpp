// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ignore_comments.h"

#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <iterator>

namespace gputest::frontend {

llvm::Expected<std::vector<IgnoreComment>>
read_ignore_comments(const std::vector<std::string>& files, const FileNames& names) {
  std::vector<IgnoreComment> result;
  for (const std::string& file : files) {
    const auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      continue; // it was there a moment ago; preprocessing would have said so
    try {
      std::ranges::move(
          model::read_ignore_comments(std::string_view((*buffer)->getBuffer()), names.name(file)),
          std::back_inserter(result));
    } catch (const model::CommentError& problem) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", problem.what());
    }
  }
  return result;
}

} // namespace gputest::frontend
