// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/subprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <span>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

// Programs under the layer wait for their own children, and must not meet ours. So the command runs
// in a grandchild. The child between ends without a signal, so only __WCLONE sees it. It never
// executes another program, because that would make it an ordinary child. Both share this process's
// memory, as with vfork(), so that its size does not matter. This thread waits.
struct Spawn {
  std::vector<char*> arguments;
  int output = -1;           // file; -1: ours
  std::span<const int> kept; // descriptors that become 3, 4, …
  bool waits = true;         // waits for the command's end
  sigset_t signals{};        // signals that are blocked in the command
  pid_t process = -1;        // of the command
  int status = 0;            // status of the command, if it was waited for
  int error = 0;             // errno, if the command could not be started
};

constexpr std::size_t kMostKept = 4;

constexpr std::size_t kStackBytes = std::size_t{64} << 10;
struct Stack {
  alignas(64) std::array<std::byte, kStackBytes> bytes;
  void* end() { return bytes.data() + bytes.size(); } // it grows down
};
struct Stacks {
  Stack between, command;
};

struct Between {
  Spawn spawn{};
  Stacks* stacks = nullptr;
};

// Changes the child's own table of descriptors.
bool set_descriptors(const Spawn& spawn) {
  if (spawn.output >= 0 &&
      (::dup2(spawn.output, STDOUT_FILENO) < 0 || ::dup2(spawn.output, STDERR_FILENO) < 0))
    return false;
  if (spawn.waits)
    return true;
  // Moves descriptors out of the way first, because one may be where another goes.
  constexpr int kFirst = 3;
  const int above = kFirst + static_cast<int>(spawn.kept.size());
  std::array<int, kMostKept> moved{};
  for (std::size_t i = 0; i < spawn.kept.size(); ++i) {
    moved[i] = ::fcntl(spawn.kept[i], F_DUPFD, above);
    if (moved[i] < 0)
      return false;
  }
  for (std::size_t i = 0; i < spawn.kept.size(); ++i)
    if (::dup2(moved[i], kFirst + static_cast<int>(i)) < 0)
      return false;
  // An old kernel lacks this call, and keeps them open.
  ::close_range(static_cast<unsigned>(above), ~0u, 0);
  return true;
}

int run_program(void* data) {
  Spawn& spawn = static_cast<Between*>(data)->spawn;
  if (set_descriptors(spawn)) {
    ::sigprocmask(SIG_SETMASK, &spawn.signals, nullptr);
    ::execve(spawn.arguments[0], spawn.arguments.data(), environ);
  }
  spawn.error = errno;
  ::_exit(127);
}

int start_program(void* data) {
  auto& between = *static_cast<Between*>(data);
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  // Otherwise a program that ignores it could not wait for its child.
  ::sigaction(SIGCHLD, &usual, nullptr);
  Spawn& spawn = between.spawn;
  spawn.process =
      ::clone(run_program, between.stacks->command.end(), CLONE_VM | CLONE_VFORK | SIGCHLD, data);
  if (spawn.process < 0)
    spawn.error = errno;
  else if (spawn.waits)
    while (::waitpid(spawn.process, &spawn.status, 0) < 0 && errno == EINTR)
      ;
  ::_exit(0);
}

std::string content_of(int file) {
  std::string content;
  std::array<char, 4096> chunk{};
  for (;;) {
    const ssize_t count =
        ::pread(file, chunk.data(), chunk.size(), static_cast<off_t>(content.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

void spawn(const std::vector<std::string>& arguments, Between& between) {
  for (const std::string& argument : arguments)
    between.spawn.arguments.push_back(const_cast<char*>(argument.c_str()));
  between.spawn.arguments.push_back(nullptr);
  const auto stacks = std::make_unique<Stacks>();
  between.stacks = stacks.get();
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &between.spawn.signals); // no handler runs in our children
  const pid_t child =
      ::clone(start_program, stacks->between.end(), CLONE_VM | CLONE_VFORK, &between);
  if (child < 0)
    between.spawn.error = errno;
  else
    while (::waitpid(child, nullptr, __WCLONE) < 0 && errno == EINTR)
      ;
  ::pthread_sigmask(SIG_SETMASK, &between.spawn.signals, nullptr);
}

} // namespace

CommandResult run_command(const std::vector<std::string>& arguments) {
  const int output = ::memfd_create("output of a command", MFD_CLOEXEC);
  if (output < 0)
    throw std::runtime_error("cannot make a file for the output of a command");
  Between between;
  between.spawn.output = output;
  spawn(arguments, between);
  CommandResult result{127, ""};
  if (between.spawn.error == 0) {
    const int status = between.spawn.status;
    result.output = content_of(output);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  ::close(output);
  return result;
}

pid_t start_command(const std::vector<std::string>& arguments, const std::vector<int>& kept) {
  Between between;
  between.spawn.kept = kept;
  between.spawn.waits = false;
  if (kept.size() > kMostKept)
    throw std::runtime_error("too many descriptors for a command");
  spawn(arguments, between);
  if (between.spawn.error != 0)
    throw std::runtime_error(std::strerror(between.spawn.error));
  return between.spawn.process;
}

} // namespace gputest::runtime
