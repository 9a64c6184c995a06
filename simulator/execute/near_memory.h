// Memory for machine code and what it refers to.
#pragma once

#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <memory>

namespace gputest::simulator {

// Sections of one object, from a range of addresses of 1 GiB whose pages take memory once they are
// used. Code reaches data within 2 GiB of it; the linker of the JIT cuts what is farther to 32 bits
// without a word. LLVM's own manager asks the system for each kind of section by itself, and the
// system may answer from anywhere. Throws SimulatorFailure if there is no such range.
std::unique_ptr<llvm::SectionMemoryManager> near_memory();

} // namespace gputest::simulator
