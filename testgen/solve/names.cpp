// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/names.h"

#include "ir/places.h"
#include "templates/simulator/context.h"
#include "testgen/concolic/operations.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace gputest::testgen {
namespace {

bool is_letter(char one) {
  return llvm::isAlnum(one) || one == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
      return true;
  }
  return false;
}

// Returns "sum" of "sum.0", which replaces a variable of the author's, and "x" of "x.addr.0", which
// is a parameter of a function. Of two variables i, LLVM calls one i75. Clang gives other names to
// what has none in the source.
std::string name_of_variable(llvm::StringRef name, std::string_view source) {
  llvm::StringRef begin = name.split('.').first;
  if (begin.starts_with(kCountedLoop)) // coverage.cl counts them
    return "iterations";
  if (begin.starts_with("gputest_"))
    return "";
  for (const char* const of_clang : {"", "cond", "retval", "tmp", "agg", "ref", "cleanup"})
    if (begin == of_clang)
      return "";
  const llvm::StringRef whole = begin.rtrim("0123456789");
  if (whole != begin && !has_word(source, begin) && has_word(source, whole))
    begin = whole;
  return begin.str();
}

// The file of the function's author; "" where there is no debug information.
llvm::StringRef file_of(const llvm::Function& function) {
  const llvm::DISubprogram* const described = function.getSubprogram();
  return described ? described->getFilename() : "";
}

// The place of the author's code that calls what coverage.cl adds. For CUDA, that is lambdas.
const llvm::DILocation* place_of_author(const llvm::Instruction& instruction) {
  const auto is_added = [](const llvm::DILocation& place) {
    const llvm::StringRef name = place.getScope()->getSubprogram()->getName();
    return name.contains("gputest_") || name == "operator()";
  };
  const llvm::DILocation* place = instruction.getDebugLoc();
  while (place && is_added(*place))
    place = place->getInlinedAt();
  return place && place->getLine() != 0 ? place : nullptr;
}

// Code that decides between values often has no line itself. A line of another file, such as a
// header, would be taken for one of the author's.
unsigned line_of(const llvm::Instruction& instruction) {
  for (const llvm::Instruction* at = &instruction; at; at = at->getNextNode())
    if (const llvm::DILocation* const place = place_of_author(*at))
      return place->getFilename() == file_of(*instruction.getFunction()) ? place->getLine() : 0;
  return 0;
}

// "…" stands for a place that takes many words.
std::string name_of_element(const llvm::LoadInst& load, std::string_view source,
                            const TextOfIndex& text_of_index) {
  const std::uint64_t bytes = width_of(*load.getType()) / 8;
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const llvm::Value* const pointer =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const std::int64_t at = offset.getSExtValue(), size = static_cast<std::int64_t>(bytes);
  const llvm::Value* const object = llvm::getUnderlyingObject(load.getPointerOperand(), 0);
  std::optional<std::string> index; // of the object's elements, if they are what is loaded
  if (const auto* const gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (at == 0 && gep->getNumIndices() == 1 && gep->getPointerOperand() == object &&
        layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue() == bytes)
      index = text_of_index(*gep->getOperand(1));
  } else if (pointer == object && bytes != 0 && at % size == 0) {
    index = std::to_string(at / size);
  }
  const std::string name = name_of_variable(object->getName(), source);
  return fmt::format("{}[{}]", name.empty() ? "memory" : name, index.value_or("…"));
}

} // namespace

std::string name_of(const llvm::Instruction& instruction, std::string_view source,
                    const TextOfIndex& text_of_index) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return name_of_element(*load, source, text_of_index);
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      call && call->getCalledFunction()) {
    const llvm::Function& callee = *call->getCalledFunction();
    const std::string name =
        callee.isIntrinsic() ? callee.getName().split('.').second.str() : ir::source_name(callee);
    return name.substr(0, name.find_first_of("(.")) + "(…)"; // of "fma.f32", "sin(float)"
  }
  if (const std::string name = name_of_variable(instruction.getName(), source);
      llvm::isa<llvm::PHINode>(instruction) && !name.empty())
    return name;
  const unsigned line = line_of(instruction);
  return line != 0 ? fmt::format("(value of line {})", line) : "(another value)";
}

std::string name_of_question(unsigned kind) {
  switch (kind) {
  case GPUTEST_WARP_SHUFFLE:
  case GPUTEST_WARP_SHUFFLE_UP:
  case GPUTEST_WARP_SHUFFLE_DOWN:
  case GPUTEST_WARP_SHUFFLE_XOR:
    return "__shfl_sync(…)";
  case GPUTEST_WARP_ALL:
    return "__all_sync(…)";
  case GPUTEST_WARP_ANY:
    return "__any_sync(…)";
  case GPUTEST_WARP_BALLOT:
    return "__ballot_sync(…)";
  case GPUTEST_WARP_MATCH_ANY:
    return "__match_any_sync(…)";
  case GPUTEST_WARP_MATCH_ALL:
    return "__match_all_sync(…)";
  case GPUTEST_WARP_ADD:
    return "__reduce_add_sync(…)";
  case GPUTEST_WARP_MIN:
  case GPUTEST_WARP_UMIN:
    return "__reduce_min_sync(…)";
  case GPUTEST_WARP_MAX:
  case GPUTEST_WARP_UMAX:
    return "__reduce_max_sync(…)";
  case GPUTEST_WARP_ACTIVE:
    return "__activemask()";
  case GPUTEST_BLOCK_VOTE:
    return "__syncthreads_count(…)";
  default:
    return "(answer of the warp)";
  }
}

bool is_unsigned(const std::string& type) {
  return type.starts_with("u") || type == "size_t" || type == "bool";
}

} // namespace gputest::testgen
