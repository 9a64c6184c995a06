#include "cuda/runtime/simulator.h"

#include "simulator/service/messages.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace gputest::cuda {

namespace {

// Among the programs that can be started by their names, or where it was to be installed.
std::string found_simulator() {
  const char* const folders = std::getenv("PATH");
  std::istringstream all(folders ? folders : "");
  for (std::string folder; std::getline(all, folder, ':');)
    if (const std::string path = folder + "/gputest-simulator"; ::access(path.c_str(), X_OK) == 0)
      return path;
  return GPUTEST_INSTALLED_SIMULATOR;
}

} // namespace

Simulator::Simulator(const std::string& program, int memory) {
  const char* const named = std::getenv("GPUTEST_SIMULATOR");
  const std::string path = named && *named ? named : program.empty() ? found_simulator() : program;
  int ends[2];
  if (::access(path.c_str(), X_OK) != 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    std::fprintf(stderr,
                 "gputest-cuda: error: the simulator %s cannot be started; set the environment "
                 "variable GPUTEST_SIMULATOR to the path of gputest-simulator\n",
                 path.c_str());
    return;
  }
  const std::string socket = std::to_string(ends[1]), descriptor = std::to_string(memory);
  const pid_t child = ::fork();
  if (child == 0) { // between fork and exec only what is allowed there
    ::fcntl(ends[1], F_SETFD, 0);
    ::fcntl(memory, F_SETFD, 0);
    ::execl(path.c_str(), path.c_str(), "--serve-cuda", socket.c_str(), descriptor.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[1]);
  if (child < 0)
    ::close(ends[0]);
  else
    socket_ = ends[0];
}

Simulator::~Simulator() {
  if (socket_ >= 0)
    ::close(socket_);
}

std::optional<std::string> Simulator::ask(const simulator::cuda::Writer& request) {
  if (socket_ < 0)
    return std::nullopt;
  try {
    simulator::send(socket_, request.message());
    if (std::optional<std::string> reply = simulator::receive(socket_))
      return reply;
  } catch (const simulator::ConnectionLost&) { // told by the caller
  }
  ::close(socket_);
  socket_ = -1;
  return std::nullopt;
}

} // namespace gputest::cuda
