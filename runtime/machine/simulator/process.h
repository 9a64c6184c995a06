// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program gputest-simulator as a child process; simulator/service/protocol.h.
#pragma once

#include "process/descriptor.h"
#include "process/memory_file.h"
#include "runtime/cases/values.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <span>
#include <sys/types.h>

namespace gputest::runtime {

class SimulatorProcess {
public:
  // Starts the program. Throws DeviceError where it cannot be started.
  explicit SimulatorProcess(const std::filesystem::path& program);
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;
  ~SimulatorProcess(); // ends the program, but only in the process that started it

  // Returns whether this process started the program, and not a process that this one was forked
  // from.
  bool is_ours() const;

  // Returns the shared memory, with `size` bytes. It keeps its content if its size is the same as
  // before; otherwise it is 0. Throws std::runtime_error.
  std::span<std::byte> share(std::size_t size);

  // Sends a request and returns the reply. Throws UsageError, BuildError and DeviceError for what
  // the simulator refuses, and MachineEnded where it died.
  Json ask(const Json& request);

private:
  pid_t owner_;
  process::Descriptor process_, socket_;
  process::MemoryFile memory_{"gputest-simulator"};
};

// Returns the program's path: $GPUTEST_SIMULATOR, or the one that the harness was built with.
// Throws DeviceError.
std::filesystem::path find_simulator(const std::filesystem::path& described);
bool has_simulator(const std::filesystem::path& described);

} // namespace gputest::runtime
