// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/simulator/process.h"

#include "runtime/process/subprocess.h"
#include "simulator/service/messages.h"
#include "simulator/service/wire.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gputest::runtime {
namespace fs = std::filesystem;

SimulatorProcess::SimulatorProcess(const fs::path& program) : owner_(::getpid()) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw DeviceError("cannot make a socket pair for the simulator");
  socket_ = ends[0];
  memory_ = ::memfd_create("gputest-simulator", MFD_CLOEXEC);
  std::string reason = std::strerror(errno);
  if (memory_ >= 0)
    try {
      const pid_t started =
          start_command({program.string(), "--serve", "3", "4"}, {ends[1], memory_});
      process_ = static_cast<int>(::syscall(SYS_pidfd_open, started, 0));
      ::close(ends[1]);
      return;
    } catch (const std::runtime_error& error) {
      reason = error.what();
    }
  ::close(ends[1]);
  ::close(socket_);
  if (memory_ >= 0)
    ::close(memory_);
  throw DeviceError(
      fmt::format("the simulator {} cannot be started: {}", program.string(), reason));
}

SimulatorProcess::~SimulatorProcess() {
  if (shared_)
    ::munmap(shared_, size_);
  ::close(socket_);
  ::close(memory_);
  if (process_ < 0) // an old kernel: it ends when it sees that the socket is closed
    return;
  if (is_ours())
    ::syscall(SYS_pidfd_send_signal, process_, SIGKILL, nullptr, 0);
  ::close(process_);
}

bool SimulatorProcess::is_ours() const {
  return owner_ == ::getpid();
}

std::span<std::byte> SimulatorProcess::share(std::size_t size) {
  if (shared_ && size == size_)
    return {shared_, size_};
  if (shared_)
    ::munmap(shared_, size_);
  shared_ = nullptr;
  size_ = size;
  if (::ftruncate(memory_, 0) != 0 || ::ftruncate(memory_, static_cast<off_t>(size)) != 0)
    throw DeviceError(
        fmt::format("cannot make {} bytes of shared memory: {}", size, std::strerror(errno)));
  if (size == 0)
    return {};
  void* const shared = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0);
  if (shared == MAP_FAILED)
    throw DeviceError(
        fmt::format("cannot map {} bytes of shared memory: {}", size, std::strerror(errno)));
  shared_ = static_cast<std::byte*>(shared);
  return {shared_, size};
}

Json SimulatorProcess::ask(const Json& request) {
  std::optional<std::string> text;
  try {
    simulator::send(socket_, request.dump(-1, ' ', false, Json::error_handler_t::replace));
    text = simulator::receive(socket_);
  } catch (const simulator::ConnectionLost&) {
    text.reset(); // reported below
  }
  if (!text)
    throw MachineEnded("the simulator has ended without an answer");
  Json reply = Json::parse(*text);
  if (!reply.contains(simulator::wire::Refusal::kError))
    return reply;
  const auto [kind, message] = reply.get<simulator::wire::Refusal>();
  if (kind == "input")
    throw UsageError(message);
  if (kind == "source")
    throw BuildError("the kernel cannot be built for the simulator", message);
  throw DeviceError("simulator: " + message);
}

namespace {

fs::path named_simulator(const fs::path& described) {
  const char* const environment = std::getenv("GPUTEST_SIMULATOR");
  return environment && *environment ? fs::path(environment) : described;
}

} // namespace

bool has_simulator(const fs::path& described) {
  const fs::path program = named_simulator(described);
  return !program.empty() && fs::is_regular_file(program) && ::access(program.c_str(), X_OK) == 0;
}

fs::path find_simulator(const fs::path& described) {
  const fs::path program = named_simulator(described);
  if (!has_simulator(described))
    throw DeviceError(fmt::format(
        "{} is not the simulator; set the environment variable GPUTEST_SIMULATOR to the path of "
        "gputest-simulator",
        program.empty() ? "this harness was built without one, which" : program.string()));
  return fs::absolute(program);
}

} // namespace gputest::runtime
