// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/places.h"

#include "ir/cuda/ptx/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>

namespace gputest::ir {

PtxPlaces::PtxPlaces(llvm::Module& module, const std::string& text, const std::string& name)
    : text_(text), name_(name), builder_(module), file_(builder_.createFile(name, "")) {
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, file_, "gputest", false, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

PtxPlaces::~PtxPlaces() {
  builder_.finalize();
}

void PtxPlaces::find_lines() {
  lines_ = {0};
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n')
      lines_.push_back(i + 1);
}

// Files are named at the end of the text but used before, so functions are translated after the
// whole text is read.
void PtxPlaces::add_file(llvm::StringRef text) {
  unsigned number = 0;
  if (text.consumeInteger(10, number) || !text.ltrim().consume_front("\""))
    return;
  const llvm::StringRef name =
      text.ltrim().drop_front().take_until([](char c) { return c == '"'; });
  files_[number] = builder_.createFile(name, "");
}

unsigned PtxPlaces::line_of(const char* at) const {
  const std::less<const char*> before;
  if (before(at, text_.data()) || before(text_.data() + text_.size(), at))
    return 0;
  const auto offset = static_cast<std::size_t>(at - text_.data());
  return static_cast<unsigned>(std::ranges::upper_bound(lines_, offset) - lines_.begin());
}

std::string PtxPlaces::prefix(const char* at) const {
  const unsigned line = line_of(at);
  if (line == 0)
    return name_ + ": ";
  const auto offset = static_cast<std::size_t>(at - text_.data());
  return fmt::format("{}:{}:{}: ", name_, line, offset - lines_[line - 1] + 1);
}

void PtxPlaces::begin_function(llvm::Function& function, const char* at) {
  source_ = nullptr;
  function_ = builder_.createFunction(
      file_, function.getName(), "", file_, line_of(at),
      builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), line_of(at),
      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(function_);
}

void PtxPlaces::read_loc(llvm::StringRef text) { // .loc 1 12 5
  unsigned file = 0, line = 0, column = 0;
  text.consume_front(".loc");
  text = text.ltrim();
  if (text.consumeInteger(10, file))
    return;
  text = text.ltrim();
  if (text.consumeInteger(10, line))
    return;
  text = text.ltrim();
  text.consumeInteger(10, column);
  const auto found = files_.find(file);
  if (found == files_.end() || line == 0)
    return;
  llvm::LLVMContext& context = function_->getContext();
  source_ = llvm::DILocation::get(
      context, line, column, llvm::DILexicalBlockFile::get(context, function_, found->second, 0));
}

void PtxPlaces::set(llvm::IRBuilder<>& builder, const char* at) {
  const llvm::StringRef rest(at, static_cast<std::size_t>(text_.data() + text_.size() - at));
  if (rest.starts_with(".loc"))
    read_loc(rest);
  const unsigned line = line_of(at);
  const auto column = static_cast<unsigned>(at - text_.data() - lines_[line - 1] + 1);
  builder.SetCurrentDebugLocation(
      source_ ? source_ : llvm::DILocation::get(function_->getContext(), line, column, function_));
}

} // namespace gputest::ir
