// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kept_modules.h"

#include "ir/error.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <utility>

namespace gputest::ir {

std::string bitcode_of(const llvm::Module& module) {
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  stream.flush();
  return bitcode;
}

std::unique_ptr<llvm::Module> read_bitcode(const std::string& bitcode, llvm::LLVMContext& context) {
  auto module = llvm::getOwningLazyBitcodeModule(
      llvm::MemoryBuffer::getMemBufferCopy(bitcode, "gputest"), context);
  if (!module)
    throw SimulatorFailure(llvm::toString(module.takeError()));
  return std::move(*module);
}

std::unique_ptr<llvm::Module> KeptModules::get(const std::string& text, llvm::LLVMContext& context,
                                               const Make& make) {
  std::shared_ptr<const std::string> bitcode;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = kept_.find(text); found != kept_.end())
      bitcode = found->second;
  }
  if (!bitcode) {
    llvm::LLVMContext own;
    bitcode = std::make_shared<const std::string>(bitcode_of(*make(own)));
    const std::scoped_lock lock(mutex_);
    if (kept_.size() >= kMost)
      kept_.clear();
    kept_[text] = bitcode;
  }
  return read_bitcode(*bitcode, context);
}

} // namespace gputest::ir
