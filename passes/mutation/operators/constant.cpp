// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// constant_replacement: a number by the next higher and the next lower one. Imitates sizes, strides
// and neighbours that are off by one.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <llvm/ADT/StringExtras.h>

namespace gputest::passes::mutation {
namespace {

// Whether this is the dimension in get_global_id(0), which dimension_replacement mutates.
bool is_dimension(const Candidate& place) {
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(place.parent);
  return call && builtin_name(*call).starts_with("get_");
}

std::string suffix(llvm::StringRef spelling) {
  return spelling
      .drop_while([](char c) { return llvm::isAlnum(c) && !llvm::is_contained("uUlL", c); })
      .str();
}

} // namespace

void propose_constant(const Candidate& place, Proposals& out) {
  const auto* integer = llvm::dyn_cast<clang::IntegerLiteral>(&place.node);
  const auto* real = llvm::dyn_cast<clang::FloatingLiteral>(&place.node);
  if ((!integer && !real) || is_dimension(place))
    return;
  unsigned begin = 0, end = 0;
  if (!out.token(place.node.getBeginLoc(), begin, end))
    return; // one of OpenCL C's own constants, such as a fence's flags
  const std::string spelling = out.tree().source().text.substr(begin, end - begin);
  const auto propose = [&](const std::string& text) {
    out.replace("constant_replacement", place.node, {{begin, end, {{text, nullptr, false}}}});
  };
  if (real) {
    propose("(" + spelling + " + 1)");
    propose("(" + spelling + " - 1)");
    return;
  }
  const llvm::APInt value = integer->getValue();
  const bool decimal = llvm::isDigit(spelling.front()) && (value == 0 || spelling.front() != '0') &&
                       value.ult(1'000'000'000);
  if (!decimal) { // as written, so that its base stays
    propose("(" + spelling + " + 1)");
    propose("(" + spelling + " - 1)");
    return;
  }
  const std::string ending = suffix(spelling);
  const std::uint64_t number = value.getZExtValue();
  propose(std::to_string(number + 1) + ending);
  if (number > 0)
    propose(std::to_string(number - 1) + ending);
  else if (integer->getType()->isSignedIntegerType())
    propose("(-1" + ending + ")");
}

} // namespace gputest::passes::mutation
