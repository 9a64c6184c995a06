// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/toolkit_places.h"

#include <filesystem>
#include <llvm/IR/DebugInfoMetadata.h>
#include <string>
#include <string_view>

namespace gputest::simulator {
namespace {

std::string file_of(const llvm::DILocation& location) {
  return (std::filesystem::path(location.getDirectory().str()) / location.getFilename().str())
      .lexically_normal()
      .string();
}

} // namespace

llvm::DebugLoc outside_of_toolkit(const llvm::DebugLoc& inside) {
  constexpr std::string_view kCopies = "gputest_cuda/copies.h";
  const llvm::DILocation* location = inside.get();
  if (!location || !file_of(*location).ends_with(kCopies))
    return inside;
  std::string folder = file_of(*location);
  folder.resize(folder.size() - kCopies.size());
  while (location && file_of(*location).starts_with(folder))
    location = location->getInlinedAt();
  return location ? llvm::DebugLoc(location) : inside;
}

} // namespace gputest::simulator
