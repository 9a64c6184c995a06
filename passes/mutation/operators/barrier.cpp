// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier_deletion (CLTestCheck, FASE 2019, Table 2), sync_removal (MutGPU, ICST 2020, Table I): a
// barrier is left out. fence_replacement: a barrier orders the other kind of memory, as in kernels
// that pass data through global memory behind a local fence.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include "passes/dataflow/barriers.h"

namespace gputest::passes::mutation {

void propose_barrier(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const bool fence = builtin_name(*call).ends_with("mem_fence");
  const bool waits = is_barrier(*call) || builtin_name(*call) == "sub_group_barrier";
  if ((!waits && !fence) || call->getNumArgs() == 0)
    return;
  const frontend::FlatSource& source = out.tree().source();
  const unsigned begin = out.begin(*call), end = out.end(*call);
  if (waits)
    for (const char* name : {"barrier_deletion", "sync_removal"})
      out.add({.operator_name = name,
               .manner = Manner::Program,
               .node = call,
               .replacement = place.in_block ? ";" : "",
               .patch = {{begin, end, {{"(void)0", nullptr, false}}}},
               .synchronisation = true});
  // Flags are names of the language; preprocessing leaves them as they are.
  for (std::size_t i = source.token_at_or_after(begin); i < source.tokens.size(); ++i) {
    const frontend::FlatToken& token = source.tokens[i];
    if (token.begin >= end)
      break;
    const std::string text = source.text.substr(token.begin, token.end - token.begin);
    const bool local = text == "CLK_LOCAL_MEM_FENCE", global = text == "CLK_GLOBAL_MEM_FENCE";
    if (!local && !global)
      continue;
    Proposal proposal{.operator_name = "fence_replacement",
                      .node = call->getArg(0)->IgnoreImplicit()};
    proposal.patch = {{token.begin,
                       token.end,
                       {{local ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE", nullptr, false}}}};
    proposal.synchronisation = true;
    out.add(std::move(proposal));
  }
}

} // namespace gputest::passes::mutation
