// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/spirv/lines.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include <map>

namespace gputest::ir {
namespace {

llvm::DILocation* known_line(const llvm::Instruction& instruction) {
  llvm::DILocation* const location = instruction.getDebugLoc().get();
  return location && location->getLine() != 0 ? location : nullptr;
}

// The first line of each block; of a block without one, the first behind it.
std::map<const llvm::BasicBlock*, llvm::DILocation*> first_lines(llvm::Function& function) {
  std::map<const llvm::BasicBlock*, llvm::DILocation*> first;
  llvm::DILocation* behind = nullptr;
  for (llvm::BasicBlock& block : llvm::reverse(function)) {
    for (llvm::Instruction& instruction : llvm::reverse(block))
      if (llvm::DILocation* const line = known_line(instruction))
        behind = line;
    first[&block] = behind;
  }
  return first;
}

bool has_line(const llvm::BasicBlock& block) {
  return llvm::any_of(block,
                      [](const llvm::Instruction& instruction) { return known_line(instruction); });
}

void fill_lines_of(llvm::Function& function, llvm::DISubprogram& declared) {
  const auto first = first_lines(function);
  llvm::DILocation* const declaration =
      llvm::DILocation::get(function.getContext(), declared.getLine(), 1, &declared);
  llvm::DILocation* last = nullptr;
  for (llvm::BasicBlock& block : function) {
    llvm::DILocation* line = has_line(block) || !last ? first.at(&block) : last;
    if (!line)
      line = declaration;
    for (llvm::Instruction& instruction : block) {
      if (llvm::DILocation* const own = known_line(instruction))
        last = line = own;
      else
        instruction.setDebugLoc(line);
    }
  }
}

} // namespace

void fill_lines(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (llvm::DISubprogram* const declared = function.getSubprogram();
        declared && !function.isDeclaration())
      fill_lines_of(function, *declared);
}

} // namespace gputest::ir
