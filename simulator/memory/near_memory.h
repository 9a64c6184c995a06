// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for machine code and its data within reach.
#pragma once

#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <memory>

namespace gputest::simulator {

// Returns a manager that places all sections of an object in one range of 1 GiB, whose pages take
// memory when they are used. Code only reaches data within 2 GiB, and the JIT's linker silently
// cuts larger distances to 32 bits. LLVM's own manager asks the system separately for each kind of
// section, and may get distant addresses. Throws SimulatorFailure if there is no such range.
std::unique_ptr<llvm::SectionMemoryManager> near_memory();

} // namespace gputest::simulator
