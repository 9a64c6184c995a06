#include "runtime/simulator_process.h"

#include "gputest/error.h"
#include "runtime/worker.h"
#include "simulator/messages.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// In the child: the two descriptors survive, and become 3 and 4.
[[noreturn]] void become(const std::string& program, int socket, int memory) {
  // Out of the way first: either may be where the other goes.
  const int kept_socket = ::fcntl(socket, F_DUPFD, 10), kept_memory = ::fcntl(memory, F_DUPFD, 10);
  ::dup2(kept_socket, 3);
  ::dup2(kept_memory, 4);
  ::close(kept_socket);
  ::close(kept_memory);
  ::execl(program.c_str(), program.c_str(), "--serve", "3", "4", nullptr);
  ::_exit(127);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return "it was ended by " + signal_name(WTERMSIG(status));
  return WEXITSTATUS(status) == 127 ? "it cannot be started"
                                    : fmt::format("exit code {}", WEXITSTATUS(status));
}

} // namespace

SimulatorProcess::SimulatorProcess(const fs::path& program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw DeviceError("cannot make a socket pair for the simulator");
  memory_ = ::memfd_create("gputest-simulator", MFD_CLOEXEC);
  const std::string path = program.string();
  pid_ = memory_ < 0 ? -1 : ::fork();
  if (pid_ == 0)
    become(path, ends[1], memory_);
  ::close(ends[1]);
  socket_ = ends[0];
  if (pid_ < 0) {
    ::close(socket_);
    if (memory_ >= 0)
      ::close(memory_);
    throw DeviceError("cannot start the simulator");
  }
}

SimulatorProcess::~SimulatorProcess() {
  if (shared_)
    ::munmap(shared_, size_);
  ::close(socket_);
  ::close(memory_);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::span<std::byte> SimulatorProcess::share(std::size_t size) {
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
  } catch (const simulator::ConnectionLost&) { // told below
  }
  if (!text) {
    int status = 0;
    const bool known = ::waitpid(pid_, &status, 0) == pid_;
    throw DeviceError(
        fmt::format("the simulator has ended{}", known ? ": " + how_it_ended(status) : ""));
  }
  Json reply = Json::parse(*text);
  if (!reply.contains("error"))
    return reply;
  const auto kind = reply["error"].get<std::string>();
  const auto message = reply["message"].get<std::string>();
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
