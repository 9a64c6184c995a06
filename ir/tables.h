// libclc looks up numbers in tables, past their ends as well.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace gputest::simulator {

// libclc reads past the ends of its tables where the bits decide nothing (the reduction of
// sin(1e30)), and far away from them where the number is thrown away (cosh(INFINITY)). Reads
// just past the end give zeros from now on, and others the first bytes: the same every time.
// `tables` are constants, and replaced by others.
void guard_tables(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& tables);

} // namespace gputest::simulator
