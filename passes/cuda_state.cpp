// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/cuda_state.h"

#include "embedded/cpp_for_opencl_cl.h"
#include "embedded/state_h.h"
#include "frontend/walk.h"
#include "model/mutation/cuda_state.h"
#include "passes/parameters.h"

#include <clang/AST/Expr.h>
#include <fmt/format.h>

namespace gputest::passes {

std::string state_of(const frontend::Tree& tree, const std::string& variant,
                     const std::string& unit) {
  if (model::row_of(tree.language()).state_is_argument)
    return fmt::format("{}{}", embedded::state_h, embedded::cpp_for_opencl_cl);
  return cuda_state(variant, unit);
}

void take_state(const frontend::Tree& tree, frontend::Edits& edits) {
  if (!model::row_of(tree.language()).state_is_argument)
    return;
  for (const clang::FunctionDecl* kernel : tree.kernels()) {
    for (const clang::FunctionDecl* declaration : kernel->redecls())
      add_parameter(tree, *declaration, state_parameter(*kernel), edits);
    edits.after(tree.begin(kernel->getBody()->getSourceRange()) + 1,
                " gputest_buffer = gputest_state;");
  }
}

std::vector<std::pair<unsigned, std::string>> state_arguments(const frontend::Tree& tree) {
  std::vector<std::pair<unsigned, std::string>> arguments;
  if (!model::row_of(tree.language()).state_is_argument)
    return arguments;
  for (const clang::FunctionDecl* function : tree.functions())
    frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
      const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      if (callee && frontend::is_kernel(*callee))
        arguments.emplace_back(tree.offset(call->getRParenLoc()),
                               call->getNumArgs() > 0 ? ", gputest_buffer" : "gputest_buffer");
      return !llvm::isa<clang::LambdaExpr>(node);
    });
  return arguments;
}

std::string cuda_state(const std::string& variant, const std::string& unit) {
  if (unit.empty())
    return fmt::format("{}#define GPUTEST_STATE gputest_state\n"
                       "#define GPUTEST_FIRST GPUTEST_STATE_HEADER_WORDS\n"
                       "#define GPUTEST_ACTIVE (GPUTEST_STATE[GPUTEST_STATE_TRACE] ? 0xffffffffu : "
                       "GPUTEST_STATE[GPUTEST_STATE_ACTIVE])\n"
                       "#define GPUTEST_BUDGET GPUTEST_STATE[GPUTEST_STATE_BUDGET]\n"
                       "#define GPUTEST_ITERATIONS GPUTEST_STATE_ITERATIONS\n"
                       "#define GPUTEST_EVENTS GPUTEST_STATE_EVENTS\n"
                       "#ifdef GPUTEST_GPU\n"
                       "extern \"C\" {{ __device__ unsigned long long gputest_told; }}\n"
                       "#define GPUTEST_TOLD gputest_told\n"
                       "#else\n#define GPUTEST_TOLD 0ull\n#endif\n",
                       embedded::state_h);
  const std::string state = fmt::format("#define GPUTEST_STATE gputest_{}_{}\n", variant, unit);
  if (variant != "mutants")
    return state + "#define GPUTEST_FIRST 0\n";
  return state + fmt::format("#define GPUTEST_ACTIVE GPUTEST_STATE[{}]\n"
                             "#define GPUTEST_BUDGET GPUTEST_STATE[{}]\n"
                             "#define GPUTEST_ITERATIONS {}\n#define GPUTEST_EVENTS {}\n"
                             "#define GPUTEST_TOLD "
                             "(GPUTEST_STATE[{}] | (unsigned long long)GPUTEST_STATE[{}] << 32)\n"
                             "#define GPUTEST_FIRST {}\n",
                             +model::kCudaActive, +model::kCudaBudget, +model::kCudaIterations,
                             +model::kCudaEvents, +model::kCudaTold, model::kCudaTold + 1,
                             +model::kCudaReached);
}

} // namespace gputest::passes
