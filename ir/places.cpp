// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/places.h"

#include "frontend/cuda/unconstructed.h"
#include "frontend/flat_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Metadata.h>
#include <map>

namespace gputest::ir {

namespace {

// The code before the first #line of a text is gputest's own, such as a guard. It counts as the
// code that it was inlined into.
const llvm::DILocation* in_source(const llvm::DILocation* location) {
  for (const llvm::DILocation* at = location; at; at = at->getInlinedAt())
    if (at->getFilename() != frontend::kFlatFile)
      return at;
  return location;
}

} // namespace

model::CodePlace place_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* const location = in_source(instruction.getDebugLoc().get());
  if (!location)
    return {};
  const auto* const scope = llvm::cast<llvm::DIScope>(location->getScope());
  const std::filesystem::path folder = scope->getDirectory().str();
  return {(folder / scope->getFilename().str()).lexically_normal().string(), location->getLine(),
          location->getColumn()};
}

std::string place_prefix(const model::CodePlace& site) {
  return site.line == 0 ? "" : fmt::format("{}:{}:{}: ", site.file, site.line, site.column);
}

std::string source_name(const llvm::Function& function) {
  const std::string name = llvm::demangle(function.getName().str());
  return name.substr(0, name.find('('));
}

std::string name_of_variable(llvm::StringRef name) {
  if (name.starts_with("_Z")) { // CUDA
    const std::string whole = llvm::demangle(name.str());
    const std::size_t colons = whole.rfind("::");
    llvm::StringRef last = whole;
    last = colons == std::string::npos ? last : last.substr(colons + 2);
    last.consume_front(frontend::cuda::kSharedObject);
    return last.str();
  }
  return (name.contains('.') ? name.rsplit('.').second : name).str();
}

unsigned site_of(const llvm::Instruction& instruction, KernelShape& shape) {
  const model::CodePlace site = place_of(instruction);
  const auto same = std::ranges::find_if(shape.sites, [&](const model::CodePlace& other) {
    return other.line == site.line && other.column == site.column && other.file == site.file;
  });
  const auto index = static_cast<unsigned>(same - shape.sites.begin());
  if (same == shape.sites.end())
    shape.sites.push_back(site);
  return index;
}

void call_it_c(llvm::Module& module) {
  llvm::NamedMDNode* const units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  std::map<llvm::DICompileUnit*, llvm::DICompileUnit*> plain;
  for (unsigned i = 0; i < units->getNumOperands(); ++i) {
    auto* const unit = llvm::cast<llvm::DICompileUnit>(units->getOperand(i));
    auto* const same = llvm::DICompileUnit::getDistinct(
        module.getContext(), llvm::dwarf::DW_LANG_C99, unit->getFile(), unit->getProducer(),
        unit->isOptimized(), "", 0, "", llvm::DICompileUnit::LineTablesOnly, nullptr, nullptr,
        nullptr, nullptr, nullptr, 0, false, false, llvm::DICompileUnit::DebugNameTableKind::None,
        false, "", "");
    plain[unit] = same;
    units->setOperand(i, same);
  }
  for (const llvm::Function& function : module)
    if (llvm::DISubprogram* const place = function.getSubprogram())
      if (const auto found = plain.find(place->getUnit()); found != plain.end())
        place->replaceUnit(found->second);
}

} // namespace gputest::ir
