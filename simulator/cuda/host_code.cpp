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
model::CodePlace HostCode::place_of(const std::string& file, std::uint64_t address) {
  if (!symbols_)
    symbols_ = std::make_unique<Symbols>();
  auto line = symbols_->symbolizer.symbolizeCode(
      file, {address - 1, llvm::object::SectionedAddress::UndefSection});
  if (!line) {
    llvm::consumeError(line.takeError());
    return {};
  }
  if (line->Line == 0)
    return {};
  return {line->FileName, line->Line, line->Column};
}

} // namespace gputest::simulator::cuda
