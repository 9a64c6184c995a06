// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links OpenCL C's built-in functions: those of libclc, and those of templates/simulator/ that
// libclc lacks.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::ir {

// Returns the file of libclc: model::file_of_others() of $GPUTEST_LIBCLC.
std::string libclc_file();

// Links the definitions of built-in functions that `module` declares. `cl_std`: that of the source.
// `whole_copies`: async copies of work-groups are the simulator's (simulator/checks/copies.h).
// Otherwise they are libclc's, where each work-item copies its part and wait_group_events is a
// barrier. Throws SimulatorFailure without libclc, if the module calls what may be its.
void link_builtins(llvm::Module& module, const std::string& cl_std, bool whole_copies);

} // namespace gputest::ir
