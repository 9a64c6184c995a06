// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/records/fork_server.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace gputest::cuda {

using model::CudaFork;
using model::CudaForkHello;
using model::CudaForkResult;

void refuse_run(CudaForkResult& result, std::string_view why) {
  std::snprintf(result.refused, sizeof result.refused, "%.*s", static_cast<int>(why.size()),
                why.data());
}

ForkServer::ForkServer(int socket) : socket_(socket) {
  ::fcntl(socket_, F_SETFD, FD_CLOEXEC);
  struct stat input{};
  if (::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode))
    input_from_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  ::sigemptyset(&child_ends_);
  ::sigaddset(&child_ends_, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child_ends_, &signals_before_);
}

void ForkServer::serve() {
  const std::string why = why_not();
  CudaForkHello hello{.process = ::getpid(), .refused = {}};
  std::snprintf(hello.refused, sizeof hello.refused, "%s", why.c_str());
  if (::send(socket_, &hello, sizeof hello, MSG_NOSIGNAL) < 0 || !why.empty())
    ::_exit(0);
  start();
  while (const std::optional<AskedFork> asked = is_over_ ? std::nullopt : receive()) {
    CudaForkResult result{};
    if (begin(*asked, result)) {
      const auto start = Clock::now();
      process::Child child;
      try {
        child = process::Child::fork();
      } catch (const std::runtime_error& error) {
        result.is_lost = true;
        refuse_run(result, error.what());
      }
      if (child.is_here()) {
        leave(asked->output);
        ::setenv("GPUTEST_CUDA_MUTANT", asked->mutant.c_str(), 1); // for programs that it starts
        ::setenv("GPUTEST_CUDA_BUDGET", std::to_string(asked->how.budget).c_str(), 1);
        become(*asked);
        return;
      }
      watch(child, *asked, start, result);
      finish(result);
    }
    if (::send(socket_, &result, sizeof result, MSG_NOSIGNAL) < 0)
      break;
  }
  end();
  ::_exit(0);
}

std::optional<AskedFork> ForkServer::receive() const {
  const ssize_t size = ::recv(socket_, nullptr, 0, MSG_PEEK | MSG_TRUNC);
  std::vector<char> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (bytes.size() < sizeof(CudaFork) ||
      ::recv(socket_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return std::nullopt;
  AskedFork asked;
  std::memcpy(&asked.how, bytes.data(), sizeof asked.how);
  const std::string text(bytes.begin() + sizeof asked.how, bytes.end());
  asked.mutant = text.substr(0, asked.how.mutant_size);
  asked.output = text.substr(asked.how.mutant_size, asked.how.output_size);
  return asked;
}

void ForkServer::leave(const std::string& output) const {
  ::close(socket_);
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int nothing = ::open("/dev/null", O_RDWR);
  // Opens the input anew, so that positions of other runs do not matter.
  const int input = input_from_ ? ::open("/proc/self/fd/0", O_RDONLY) : -1;
  if (input >= 0)
    ::lseek(input, *input_from_, SEEK_SET);
  ::dup2(input < 0 ? nothing : input, STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    ::dup2(file < 0 ? nothing : file, stream);
  for (const int opened : {file, nothing, input})
    if (opened > STDERR_FILENO)
      ::close(opened);
  ::sigprocmask(SIG_SETMASK, &signals_before_, nullptr);
}

// Waits until the child or what it needs has ended, or the time is up.
void ForkServer::watch(process::Child& child, const AskedFork& asked, Clock::time_point start,
                       CudaForkResult& result) {
  while (child.runs() && !result.is_lost && !result.timed_out) {
    if (const std::optional<process::Ended> ended = child.look()) {
      result.exit_code = ended->exit_code;
      result.signal = ended->signal;
      if (ended->is_unknown) {
        result.is_lost = true;
        refuse_run(result, "another part of the program waits for its children");
      }
    } else if (is_lost()) {
      result.is_lost = true;
    } else {
      result.timed_out = !wait_for_end(start, asked.how.timeout);
    }
  }
  child.end();
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
}

// Returns false if no process has ended `seconds` after the start.
bool ForkServer::wait_for_end(Clock::time_point start, double seconds) const {
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

} // namespace gputest::cuda
