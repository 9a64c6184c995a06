// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/simulator.h"

#include "model/processes/signals.h"
#include "simulator/service/messages.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

// Is defined by gputest-cuda when it links a program without kernels.
extern "C" __attribute__((weak)) const char gputest_cuda_simulator[];

namespace gputest::cuda {

namespace {

// Returns the simulator of the toolkit that this shared library is in, or of the toolkit that has
// linked the program, or the one in $PATH, or that of the installation.
std::string found_simulator() {
  Dl_info self{};
  if (::dladdr(reinterpret_cast<const void*>(&found_simulator), &self) != 0 && self.dli_fname) {
    const std::string library = self.dli_fname;
    const std::string programs = library.substr(0, library.rfind('/') + 1) + "../bin/";
    std::ifstream stream(programs + "gputest-simulator.path");
    std::string path;
    if (std::getline(stream, path))
      return path.starts_with('/') ? path : programs + path;
  }
  if (const char* const said = gputest_cuda_simulator; said && ::access(said, X_OK) == 0)
    return said;
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
  if (child == 0) { // only async-signal-safe calls between fork and exec
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
  process_ = child;
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
  } catch (const simulator::ConnectionLost&) { // the caller reports it
  }
  ::close(socket_);
  socket_ = -1;
  learn_end();
  return std::nullopt;
}

void Simulator::learn_end() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(process_, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended != process_) {
    ended_by_others_ = "in a way that is not known";
  } else if (WIFSIGNALED(status) && !model::is_raised_by_itself(WTERMSIG(status))) {
    const char* const name = ::sigabbrev_np(WTERMSIG(status));
    ended_by_others_ =
        name ? std::string("by SIG") + name : "by signal " + std::to_string(WTERMSIG(status));
  }
}

} // namespace gputest::cuda
