// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/parameters.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <string_view>

namespace gputest::passes {

std::string state_parameter(const clang::FunctionDecl& function) {
  return frontend::is_kernel(function) ? "__global uint* gputest_state"
                                       : "gputest_context* gputest";
}

void add_parameter(const frontend::Tree& tree, const clang::FunctionDecl& function,
                   const std::string& parameter, frontend::Edits& edits) {
  const clang::FunctionTypeLoc location = function.getFunctionTypeLoc();
  const unsigned open = tree.offset(location.getLParenLoc());
  const unsigned close = tree.offset(location.getRParenLoc());
  if (function.getNumParams() > 0)
    return edits.before(close, ", " + parameter);
  const frontend::FlatToken& token =
      tree.source().tokens[tree.source().token_at_or_after(open + 1)];
  if (token.begin < close) // (void)
    edits.replace(token.begin, token.end, parameter);
  else
    edits.before(close, parameter);
}

void leave_out_body(const frontend::Tree& tree, const clang::FunctionDecl& function,
                    frontend::Edits& edits) {
  if (std::ranges::find(tree.functions(), &function) == tree.functions().end())
    return;
  const clang::SourceRange body = function.getBody()->getSourceRange();
  const unsigned begin = tree.begin(body), end = tree.end(body);
  const std::string_view text = std::string_view(tree.source().text).substr(begin, end - begin);
  edits.replace(begin, end,
                ";" + std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n'));
}

} // namespace gputest::passes
