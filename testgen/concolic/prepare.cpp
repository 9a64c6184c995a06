#include "testgen/concolic/prepare.h"

#include "ir/analysis_managers.h"
#include "ir/error.h"
#include "ir/placed.h"
#include "ir/places.h"
#include "simulator/execute/optimise.h"

#include <fmt/format.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

namespace gputest::testgen {

void refuse_warps(const simulator::KernelShape& shape) {
  if (shape.warps)
    throw simulator::SourceError(
        fmt::format("{}values that go from thread to thread by shuffles and votes are not followed",
                    simulator::place_prefix(shape.place)));
}

void prepare(llvm::Function& item, simulator::KernelShape& shape) {
  simulator::simplify_lightly(item);
  simulator::place_local_variables(item, shape);
  simulator::AnalysisManagers analyses;
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
