// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_offset_replacement: the offset of vloadn or vstoren one higher or lower. It counts in
// vectors, which is easily forgotten.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {

void propose_vector_offset(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const llvm::StringRef name = builtin_name(*call);
  const bool loads = name.starts_with("vload"), stores = name.starts_with("vstore");
  if ((!loads && !stores) || call->getNumArgs() < 2)
    return;
  const clang::Expr* offset = call->getArg(loads ? 0 : 1)->IgnoreImplicit();
  const unsigned begin = out.begin(*offset), end = out.end(*offset);
  for (const char* change : {") + 1)", ") - 1)"})
    out.replace("vector_offset_replacement", *offset,
                {{begin, begin, {{"((", nullptr, false}}}, {end, end, {{change, nullptr, false}}}});
}

} // namespace gputest::passes::mutation
