// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/prepare.h"

#include "ir/analysis_managers.h"
#include "ir/optimise.h"
#include "ir/placed.h"

#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

namespace gputest::testgen {

void prepare(llvm::Function& item, ir::KernelShape& shape) {
  ir::simplify_lightly(item);
  ir::place_local_variables(item, shape);
  ir::AnalysisManagers analyses;
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  options.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(options));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::ADCEPass());
  passes.run(item, analyses.functions);
}

} // namespace gputest::testgen
