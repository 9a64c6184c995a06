// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/z3_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/clock.h"

extern char** environ; // NOLINT

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Z3 ends after this many times the processor time that its steps should take, because it does not
// count everything. It may take this much longer by the clock, and this many seconds more, where
// others keep the processor busy.
constexpr double kSlowest = 3, kBusiest = 50, kPatience = 60;

bool send_all(int socket, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

// Up to an empty line; false: the process has ended, or the time is over.
bool receive(int socket, Clock::time_point end, std::string& text, bool& late) {
  while (!text.ends_with("\n\n")) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wait{socket, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0) {
      late = true;
      return false;
    }
    char part[4096];
    const ssize_t count = ::recv(socket, part, sizeof part, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    text.append(part, static_cast<std::size_t>(count));
  }
  return true;
}

Verdict verdict_of(const std::string& text) {
  Verdict verdict;
  std::istringstream lines(text);
  std::string word;
  lines >> verdict.steps;
  lines.ignore(1);
  std::getline(lines, word);
  if (word == "sat") {
    verdict.kind = Verdict::Kind::Satisfiable;
    std::uint64_t value = 0;
    while (lines >> word >> value)
      verdict.values[word] = value;
  } else if (word == "unsat") {
    verdict.kind = Verdict::Kind::Unsatisfiable;
  } else {
    verdict.reason = word.starts_with("unknown ") ? word.substr(8) : word;
  }
  return verdict;
}

} // namespace

std::string solver_program() {
  if (const char* const chosen = std::getenv("GPUTEST_SOLVER"); chosen && *chosen)
    return chosen;
  std::error_code error;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", error).parent_path() / "gputest-solver";
  if (!error && fs::exists(beside, error))
    return beside.string();
#ifdef GPUTEST_SOLVER_PROGRAM
  if (fs::exists(GPUTEST_SOLVER_PROGRAM, error))
    return GPUTEST_SOLVER_PROGRAM;
#endif
  return "";
}

std::string missing_solver_message() {
  return "Z3 was not found when GpuTestCheck was configured; install it (Debian: libz3-dev) and "
         "build again, or set GPUTEST_SOLVER to a gputest-solver";
}

Z3Process::~Z3Process() {
  stop();
}

bool Z3Process::start() {
  const std::string program = solver_program();
  int sockets[2];
  if (program.empty() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  std::string name = program;
  char* const arguments[] = {name.data(), nullptr};
  pid_t process = -1;
  const int failed =
      ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(sockets[1]);
  if (failed) {
    ::close(sockets[0]);
    return false;
  }
  process_ = process;
  socket_ = sockets[0];
  return true;
}

bool Z3Process::stop() {
  if (process_ < 0)
    return false;
  ::close(socket_);
  // One that has closed its end is about to end by itself.
  int status = 0;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = socket_ = -1;
  if (!WIFSIGNALED(status))
    return true;
  const int signal = WTERMSIG(status);
  return signal != SIGKILL && signal != SIGTERM && signal != SIGINT && signal != SIGHUP;
}

Verdict Z3Process::ask(const Question& question) {
  if (process_ < 0 && !start()) {
    has_lost_ = true;
    return {.kind = Verdict::Kind::Missing,
            .reason = solver_program().empty()
                          ? missing_solver_message()
                          : fmt::format("{} cannot be started", solver_program()),
            .lost = true};
  }
  const double steps = std::min(question.seconds * kStepsOfSecond, 4e9);
  std::string text =
      fmt::format("{} {} {} {}\n", static_cast<unsigned>(steps), question.megabytes,
                  static_cast<unsigned>(question.seconds * kSlowest) + 2, question.text.size() + 1);
  for (const std::string& name : question.names)
    text += name + ' ';
  text += '\n' + question.text + '\n';
  const auto begin = Clock::now();
  const auto end = begin + clock_duration(question.seconds * kBusiest + kPatience);
  std::string reply;
  bool late = false;
  const bool answered = send_all(socket_, text) && receive(socket_, end, reply, late);
  Verdict verdict;
  if (answered) {
    verdict = verdict_of(reply);
  } else {
    verdict.lost = !stop() || late;
    verdict.reason = verdict.lost
                         ? "Z3 had no answer: the machine is too busy, or somebody ended it"
                         : fmt::format("Z3 ended; it had {} MiB", question.megabytes);
    verdict.steps = steps;
    has_lost_ = has_lost_ || verdict.lost;
  }
  verdict.seconds = seconds_since(begin);
  steps_ += verdict.steps;
  return verdict;
}

} // namespace gputest::testgen
