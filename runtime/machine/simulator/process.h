// The program gputest-simulator, started when it is needed; simulator/service/protocol.h.
#pragma once

#include "runtime/cases/values.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <span>
#include <sys/types.h>

namespace gputest::runtime {

class SimulatorProcess {
public:
  // Throws DeviceError where the program cannot be started.
  explicit SimulatorProcess(const std::filesystem::path& program);
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;
  ~SimulatorProcess(); // ends it, in the process that started it

  // Whether this process started it, and not one that it was forked from.
  bool is_ours() const;

  // The shared memory, `size` bytes long. What is in it is what was there, if it was as long
  // before, and else 0. Throws DeviceError.
  std::span<std::byte> share(std::size_t size);

  // The reply. Throws UsageError, BuildError and DeviceError for what the simulator refuses, and
  // MachineEnded where it died.
  Json ask(const Json& request);

private:
  pid_t owner_;
  int process_ = -1, socket_ = -1, memory_ = -1; // descriptors
  std::byte* shared_ = nullptr;
  std::size_t size_ = 0;
};

// The program's path: $GPUTEST_SIMULATOR, or the one that the harness was built with. Throws
// DeviceError.
std::filesystem::path find_simulator(const std::filesystem::path& described);
bool has_simulator(const std::filesystem::path& described);

} // namespace gputest::runtime
