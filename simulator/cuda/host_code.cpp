// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/host_code.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>

namespace gputest::simulator::cuda {

struct HostCode::Symbols {
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

HostCode::HostCode() = default;
HostCode::~HostCode() = default;

// A return address is that of the next instruction, which may be of another line.
std::vector<model::CodePlace> HostCode::places_of(const std::string& file, std::uint64_t address) {
  if (!symbols_)
    symbols_ = std::make_unique<Symbols>();
  auto found = symbols_->symbolizer.symbolizeInlinedCode(
      file, {address - 1, llvm::object::SectionedAddress::UndefSection});
  std::vector<model::CodePlace> places;
  if (!found) {
    llvm::consumeError(found.takeError());
    return places;
  }
  for (std::uint32_t i = 0; i < found->getNumberOfFrames(); ++i)
    if (const llvm::DILineInfo& line = found->getFrame(i); line.Line != 0)
      places.push_back({line.FileName, line.Line, line.Column});
  return places;
}

} // namespace gputest::simulator::cuda
