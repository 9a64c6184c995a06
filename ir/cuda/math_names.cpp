// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/math_names.h"

#include "ir/cuda_mark.h"

#include <llvm/ADT/StringSwitch.h>

#include <vector>

namespace gputest::ir {
namespace {

// The library's name without `__nv_` of a function of double, and with an `f` behind it of float;
// empty for any other function.
std::string name_in_library(llvm::StringRef name) {
  const llvm::StringRef instead =
      llvm::StringSwitch<llvm::StringRef>(name)
          .Cases("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", name)
          .Cases("cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", name)
          .Cases("exp", "exp2", "exp10", "expm1", "fabs", "fdim", "floor", name)
          .Cases("fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", name)
          .Cases("j0", "j1", "jn", "y0", "y1", "yn", "ldexp", name)
          .Cases("lgamma", "log", "log10", "log1p", "log2", "logb", "modf", name)
          .Cases("nan", "nearbyint", "nextafter", "pow", "remainder", "remquo", name)
          .Cases("rint", "round", "scalbn", "sin", "sincos", "sinh", "sqrt", name)
          .Cases("tan", "tanh", "tgamma", "trunc", "llrint", "llround", name)
          .Case("lrint", "llrint")
          .Case("lround", "llround")
          .Default("");
  return instead.str();
}

} // namespace

void name_math_functions(llvm::Module& module) {
  if (!is_cuda(module))
    return;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      functions.push_back(&function);
  for (llvm::Function* const function : functions) {
    llvm::StringRef name = function->getName();
    std::string instead = name_in_library(name);
    if (instead.empty() && name.consume_back("f"))
      if (instead = name_in_library(name); !instead.empty())
        instead += "f";
    if (instead.empty())
      continue;
    instead = "__nv_" + instead;
    llvm::Function* const known = module.getFunction(instead);
    if (!known) {
      function->setName(instead);
    } else if (known->getFunctionType() == function->getFunctionType()) {
      function->replaceAllUsesWith(known);
      function->eraseFromParent();
    }
  }
}

} // namespace gputest::ir
