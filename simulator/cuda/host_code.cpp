// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/host_code.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>

namespace gputest::simulator::cuda {

struct HostCode::Symbols {
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

HostCode::HostCode() = default;
HostCode::~HostCode() = default;

// A return address is that of the next instruction, which may be of another line.
std::vector<HostPlace> HostCode::places_of(const std::string& file, std::uint64_t address) {
  if (!symbols_)
    symbols_ = std::make_unique<Symbols>();
  auto found = symbols_->symbolizer.symbolizeInlinedCode(
      file, {address - 1, llvm::object::SectionedAddress::UndefSection});
  std::vector<HostPlace> places;
  if (!found) {
    llvm::consumeError(found.takeError());
    return places;
  }
  for (std::uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& line = found->getFrame(i);
    const bool named = line.FunctionName != llvm::DILineInfo::BadString;
    if (line.Line == 0 && !named)
      continue;
    HostPlace place;
    if (line.Line != 0)
      place.place = {line.FileName, line.Line, line.Column};
    if (named)
      place.function =
          line.FunctionName +
          (line.StartAddress ? fmt::format("+{:#x}", address - *line.StartAddress) : "");
    places.push_back(std::move(place));
  }
  return places;
}

} // namespace gputest::simulator::cuda
