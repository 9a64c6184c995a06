// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory_order_replacement: an atomic operation or a fence orders nothing.
// memory_scope_replacement: it orders for its work-group alone, as in kernels that were tried with
// one work-group.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {

void propose_memory_model(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const llvm::StringRef name = builtin_name(*call);
  if (!(name.starts_with("atomic_") && name.ends_with("_explicit")) &&
      name != "atomic_work_item_fence" && name != "work_group_barrier")
    return;
  // Orders and scopes are names of the language; preprocessing leaves them as they are.
  const frontend::FlatSource& source = out.tree().source();
  const unsigned begin = out.begin(*call), end = out.end(*call);
  for (std::size_t i = source.token_at_or_after(begin); i < source.tokens.size(); ++i) {
    const frontend::FlatToken& token = source.tokens[i];
    if (token.begin >= end)
      break;
    const llvm::StringRef text =
        llvm::StringRef(source.text).substr(token.begin, token.end - token.begin);
    const bool order = text.starts_with("memory_order_") && text != "memory_order_relaxed";
    const bool scope = text == "memory_scope_device" || text == "memory_scope_all_svm_devices" ||
                       text == "memory_scope_all_devices";
    if (!order && !scope)
      continue;
    // A program of its own: the simulator and devices look at constant orders and scopes.
    out.add({.operator_name = order ? "memory_order_replacement" : "memory_scope_replacement",
             .manner = Manner::Program,
             .node = call,
             .patch = {{token.begin,
                        token.end,
                        {{order ? "memory_order_relaxed" : "memory_scope_work_group", nullptr,
                          false}}}},
             .synchronisation = true});
  }
}

} // namespace gputest::passes::mutation
