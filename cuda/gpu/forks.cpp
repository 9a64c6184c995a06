// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/forks.h"

#include "cuda/gpu/channel.h"
#include "cuda/gpu/recorder.h"
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"
#include "cuda/gpu/shared_memory.h"
#include "cuda/records/text.h"
#include "model/mutation/cuda_forks.h"
#include "process/child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace gputest::cuda::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using model::CudaFork;
using model::CudaForkHello;
using model::CudaForkResult;

constexpr auto kPatience = std::chrono::seconds(2);     // for work that a program has left running
constexpr auto kForBeginning = std::chrono::minutes(1); // for a server that starts

// Libraries that call the driver themselves, so their calls cannot go to a server.
constexpr const char* kLibrariesOfCuda[] = {
    "libcuda",      "libcudart",   "libcublas", "libcufft",    "libcurand",
    "libcusolver",  "libcusparse", "libcudnn",  "libcutensor", "libcufile",
    "libcudss",     "libnpp",      "libnccl",   "libnvrtc",    "libnvjpeg",
    "libnvJitLink", "libnvinfer",  "libnvblas", "libnvidia-"};

std::string library_of_cuda() {
  std::string found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* name) {
        const std::string path = info->dlpi_name ? info->dlpi_name : "";
        const std::string file = path.substr(path.rfind('/') + 1);
        for (const char* const begin : kLibrariesOfCuda)
          if (file.starts_with(begin))
            *static_cast<std::string*>(name) = file;
        return 0;
      },
      &found);
  return found;
}

struct Asked {
  CudaFork how;
  std::string mutant, output;
};

class Forks {
public:
  explicit Forks(int socket) : socket_(socket) {
    ::fcntl(socket_, F_SETFD, FD_CLOEXEC);
    ::sigemptyset(&child_ends_);
    ::sigaddset(&child_ends_, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_ends_, &signals_before_);
  }

  // Returns only in forks.
  void serve() {
    const std::string why = why_not();
    CudaForkHello hello{.process = ::getpid(), .refused = {}};
    std::snprintf(hello.refused, sizeof hello.refused, "%s", why.c_str());
    if (::send(socket_, &hello, sizeof hello, MSG_NOSIGNAL) < 0 || !why.empty())
      ::_exit(0);
    start_server();
    while (const std::optional<Asked> asked = receive()) {
      CudaForkResult result{};
      if (begin(*asked, result)) {
        const auto start = Clock::now();
        process::Child child = process::Child::fork();
        if (child.is_here()) {
          become(*asked);
          return;
        }
        watch(child, *asked, start, result);
        finish(result);
      }
      if (::send(socket_, &result, sizeof result, MSG_NOSIGNAL) < 0)
        break;
    }
    server_.end();
    ::_exit(0);
  }

private:
  std::string why_not() {
    if (const std::string library = library_of_cuda(); !library.empty())
      return "the program has loaded " + library;
    if (is_driver_used())
      return "the program uses the GPU before main()";
    if (!Server::get().refused().empty())
      return "the program has " + Server::get().refused();
    channel_ = Channel::make();
    return channel_ && reserve_shared_memory() ? "" : std::strerror(errno);
  }

  std::optional<Asked> receive() const {
    const ssize_t size = ::recv(socket_, nullptr, 0, MSG_PEEK | MSG_TRUNC);
    std::vector<char> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (bytes.size() < sizeof(CudaFork) ||
        ::recv(socket_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      return std::nullopt;
    Asked asked;
    std::memcpy(&asked.how, bytes.data(), sizeof asked.how);
    const std::string text(bytes.begin() + sizeof asked.how, bytes.end());
    asked.mutant = text.substr(0, asked.how.mutant_size);
    asked.output = text.substr(asked.how.mutant_size, asked.how.output_size);
    return asked;
  }

  void start_server() {
    channel_->is_servers = 0;
    channel_->is_endless = 0;
    server_ = process::Child::fork();
    if (!server_.is_here())
      return;
    leave("/dev/null"); // the output of kernels goes there
    Server::get().serve(*channel_);
  }

  void restart_server() {
    server_.end();
    start_server();
  }

  // Makes a fork an independent process, which writes to `output` and has no input.
  void leave(const std::string& output) const {
    ::close(socket_);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, STDIN_FILENO);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::dup2(file < 0 ? nothing : file, stream);
    ::close(file);
    ::close(nothing);
    ::sigprocmask(SIG_SETMASK, &signals_before_, nullptr);
  }

  // Returns false if the server cannot begin the run; the result then says so.
  bool begin(const Asked& asked, CudaForkResult& result) {
    channel_->refused[0] = 0;
    if (asked.mutant.size() > Channel::kBytes) {
      std::snprintf(result.refused, sizeof result.refused, "too many sources");
      return false;
    }
    channel_->clear();
    std::memcpy(channel_->bytes, asked.mutant.data(), asked.mutant.size());
    channel_->put(asked.mutant.size());
    channel_->put(asked.how.budget);
    if (!channel_->ask(Server::begin, Clock::now() + kForBeginning)) {
      result.is_lost = true;
    } else if (const int error = channel_->take<int>(); error != 0) {
      std::snprintf(result.refused, sizeof result.refused, "error %d before the first launch",
                    error);
    } else {
      return true;
    }
    restart_server();
    return false;
  }

  void become(const Asked& asked) {
    leave(asked.output);
    Recorder::get().activate(asked.mutant, asked.how.budget);
    set_remote(channel_);
  }

  // Waits until the child or the server has ended, or the time is up.
  void watch(process::Child& child, const Asked& asked, Clock::time_point start,
             CudaForkResult& result) {
    while (child.runs() && !result.is_lost && !result.timed_out) {
      if (const std::optional<process::Ended> ended = child.look()) {
        result.exit_code = ended->exit_code;
        result.signal = ended->signal;
      } else if (!server_.runs() || server_.look()) {
        result.is_lost = true;
      } else {
        result.timed_out = !wait_for_end(start, asked.how.timeout);
      }
    }
    child.end();
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }

  // Returns false if no process has ended `seconds` after the start.
  bool wait_for_end(Clock::time_point start, double seconds) const {
    if (seconds <= 0) {
      int signal = 0;
      return ::sigwait(&child_ends_, &signal) == 0;
    }
    const auto until =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const auto left =
        std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()).count();
    if (left <= 0)
      return false;
    const timespec limit{left / 1'000'000'000, left % 1'000'000'000};
    return ::sigtimedwait(&child_ends_, nullptr, &limit) > 0 || errno != EAGAIN;
  }

  // Prepares the server for the next run, or starts a new one.
  void finish(CudaForkResult& result) {
    std::memcpy(result.refused, channel_->refused, sizeof result.refused);
    result.is_endless = channel_->is_endless != 0;
    bool is_left = false;
    if (!result.is_lost && !result.timed_out) {
      channel_->clear();
      is_left =
          channel_->ask(Server::finish, Clock::now() + kPatience) && channel_->take<int>() == 0;
      result.is_endless |= channel_->is_endless != 0;
    }
    if (!is_left)
      restart_server();
  }

  int socket_;
  Channel* channel_ = nullptr;
  process::Child server_;
  sigset_t child_ends_{}, signals_before_{};
};

} // namespace

void serve_forks() {
  const std::string socket = environment("GPUTEST_CUDA_FORKS");
  if (socket.empty())
    return;
  ::unsetenv("GPUTEST_CUDA_FORKS");
  static auto* const forks = new Forks(std::atoi(socket.c_str())); // forks have it until their end
  forks->serve();
}

} // namespace gputest::cuda::gpu

extern "C" int __real_main(int argc, char** argv, char** environment);
extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  gputest::cuda::gpu::serve_forks();
  return __real_main(argc, argv, environment);
}
