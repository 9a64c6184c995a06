// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/simulator/process.h"

#include "process/command.h"
#include "process/messages.h"
#include "simulator/service/wire.h"

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gputest::runtime {
namespace fs = std::filesystem;

SimulatorProcess::SimulatorProcess(const fs::path& program) : owner_(::getpid()) {
  try {
    process::Ends ends = process::stream_sockets();
    const pid_t started = process::start_command({program.string(), "--serve", "3", "4"},
                                                 {ends.theirs.number(), memory_.descriptor()});
    process_ = process::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, started, 0)));
    socket_ = std::move(ends.ours);
  } catch (const std::runtime_error& error) {
    throw DeviceError(fmt::format("the simulator cannot be started: {}", error.what()));
  }
}

SimulatorProcess::~SimulatorProcess() {
  // An old kernel has no such descriptors: it ends when it sees that the socket is closed.
  if (process_ && is_ours())
    ::syscall(SYS_pidfd_send_signal, process_.number(), SIGKILL, nullptr, 0);
}

bool SimulatorProcess::is_ours() const {
  return owner_ == ::getpid();
}

std::span<std::byte> SimulatorProcess::share(std::size_t size) {
  if (size != memory_.size())
    memory_.clear(size);
  return memory_.map();
}

Json SimulatorProcess::ask(const Json& request) {
  std::optional<std::string> text;
  try {
    process::send(socket_.number(), request.dump(-1, ' ', false, Json::error_handler_t::replace));
    text = process::receive(socket_.number());
  } catch (const process::ConnectionLost&) {
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
