// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu_index_replacement, gpu_index_increment, gpu_index_decrement: a thread's index for a block's,
// and one more or less (MutGPU, ICST 2020, Table I); on OpenCL a thread is a work-item, a block a
// work-group. id_scope_replacement: global id for local id and back, as where a tile is loaded by
// the wrong index. dimension_replacement: another dimension, as in kernels that exchange rows and
// columns.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>

#include <set>

namespace gputest::passes::mutation {

// An instance has the dimensions of its template.
static unsigned dimensions_in(const clang::FunctionDecl& function, const Proposals& known) {
  const clang::FunctionDecl *const pattern = function.getTemplateInstantiationPattern(),
                                   *definition = nullptr;
  const auto found =
      known.dimensions.find(pattern && pattern->hasBody(definition) ? definition : &function);
  return found == known.dimensions.end() ? 1 : found->second;
}

void propose_index(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const llvm::StringRef name = builtin_name(*call);
  static const std::set<llvm::StringRef> ids{"get_local_id", "get_group_id", "get_global_id"};
  static const std::set<llvm::StringRef> sizes{"get_local_size", "get_num_groups",
                                               "get_global_size"};
  if ((!ids.contains(name) && !sizes.contains(name)) || call->getNumArgs() != 1)
    return;
  const clang::SourceLocation callee = call->getCallee()->getBeginLoc();
  const unsigned begin = out.begin(*call), end = out.end(*call);
  if (ids.contains(name)) {
    if (name == "get_local_id")
      out.swap_token("gpu_index_replacement", *call, callee, "get_group_id");
    if (name == "get_group_id")
      out.swap_token("gpu_index_replacement", *call, callee, "get_local_id");
    if (name == "get_global_id")
      out.swap_token("id_scope_replacement", *call, callee, "get_local_id");
    if (name == "get_local_id")
      out.swap_token("id_scope_replacement", *call, callee, "get_global_id");
    for (const auto& [operator_name, change] :
         {std::pair{"gpu_index_increment", " + 1)"}, std::pair{"gpu_index_decrement", " - 1)"}})
      out.replace(
          operator_name, *call,
          {{begin, begin, {{"(", nullptr, false}}}, {end, end, {{change, nullptr, false}}}});
  }
  const auto* dimension =
      llvm::dyn_cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
  if (!dimension)
    return;
  const std::uint64_t own = dimension->getValue().getLimitedValue();
  for (std::uint64_t other = 0; other < dimensions_in(place.function, out); ++other)
    if (other != own)
      out.swap_token("dimension_replacement", *call, dimension->getBeginLoc(),
                     std::to_string(other));
}

} // namespace gputest::passes::mutation
