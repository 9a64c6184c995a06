// OpenCL C's built-in functions: libclc's, and those of templates/simulator/ that it lacks.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::simulator {

// The file of libclc that is linked: $GPUTEST_LIBCLC, or the one found when the simulator was
// configured.
std::string libclc_file();

// Gives every function that `module` declares and one of the two has its definition. Throws
// SimulatorFailure without libclc. `cl_std` is that of the source.
// `whole_copies`: async copies of work-groups are the simulator's (copies.h), not libclc's, of
// which each work-item makes its part and wait_group_events is a barrier.
void link_builtins(llvm::Module& module, const std::string& cl_std, bool whole_copies);

} // namespace gputest::simulator
