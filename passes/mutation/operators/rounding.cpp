// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rounding_replacement: another rounding mode of convert_*, as where truncation was taken for
// rounding.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {

void propose_rounding(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call || call->getNumArgs() != 1)
    return;
  llvm::StringRef name = builtin_name(*call);
  if (!name.starts_with("convert_"))
    return;
  // Conversions between integers do not round.
  if (is_integer(call->getArg(0)->IgnoreImplicit()->getType()) && is_integer(call->getType()))
    return;
  llvm::StringRef own;
  for (const llvm::StringRef mode : {"_rte", "_rtz", "_rtp", "_rtn"})
    if (name.ends_with(mode)) {
      own = mode;
      name = name.drop_back(mode.size());
    }
  if (own.empty()) // the default
    own = is_integer(call->getType()) ? "_rtz" : "_rte";
  for (const llvm::StringRef mode : {"_rte", "_rtz", "_rtp", "_rtn"})
    if (mode != own)
      out.swap_token("rounding_replacement", *call, call->getCallee()->getBeginLoc(),
                     (name + mode).str());
}

} // namespace gputest::passes::mutation
