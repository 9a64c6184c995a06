// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/z3_process.h"

#include "model/clock.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Z3 ends after this many times the processor time that its steps should take, because it does not
// count everything. It may take this much longer by the clock, and this many seconds more, where
// others keep the processor busy.
constexpr double kSlowest = 3, kBusiest = 50, kPatience = 60;

// Z3 begins each question with some large tables. The C library gets them as large pages then,
// which takes a fifth of the time.
std::map<std::string, std::string> memory_settings() {
  if (std::getenv("GLIBC_TUNABLES"))
    return {};
  return {{"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"}};
}

constexpr std::size_t kMostKnown = 256; // answers; a question has some thousand bytes

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
  if (word == "sat")
    verdict.kind = Verdict::Kind::Satisfiable;
  else if (word == "unsat")
    verdict.kind = Verdict::Kind::Unsatisfiable;
  else
    verdict.reason = word.starts_with("unknown ") ? word.substr(8) : word;
  std::uint64_t value = 0;
  while (lines >> word >> value)
    if (word == "wrong")
      verdict.wrong.push_back(value);
    else
      verdict.values[word] = value;
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

bool Z3Process::start() {
  const std::string program = solver_program();
  if (program.empty())
    return false;
  process::Ends ends = process::stream_sockets();
  const int theirs = ends.theirs.number();
  try {
    // It ends with its input. The thread that starts it may end before it is asked again.
    process_ =
        process::Child::start({.words = {program},
                               .environment = memory_settings(),
                               .descriptors = {{theirs, STDIN_FILENO}, {theirs, STDOUT_FILENO}},
                               .ends_with_us = false});
  } catch (const std::runtime_error&) { // the caller names the program
    return false;
  }
  socket_ = std::move(ends.ours);
  return true;
}

Verdict Z3Process::ask(const Question& question) {
  std::string key =
      fmt::format("{} {} {} ", question.seconds, question.megabytes, question.doubts) +
      question.text;
  if (const auto known = known_.find(key); known != known_.end()) {
    Verdict verdict = known->second;
    verdict.seconds = 0;
    steps_ += verdict.steps;
    return verdict;
  }
  const Verdict verdict = ask_anew(question);
  if (known_.size() == kMostKnown)
    known_.clear();
  if (verdict.kind == Verdict::Kind::Satisfiable || verdict.kind == Verdict::Kind::Unsatisfiable)
    known_.emplace(std::move(key), verdict);
  return verdict;
}

Verdict Z3Process::ask_anew(const Question& question) {
  Verdict verdict;
  process::Tries tries;
  std::optional<process::Ended> ended;
  const auto begin = Clock::now();
  do {
    if (!process_.runs() && !start()) {
      has_lost_ = true;
      return {.kind = Verdict::Kind::Missing,
              .reason = solver_program().empty()
                            ? missing_solver_message()
                            : fmt::format("{} cannot be started", solver_program()),
              .lost = true};
    }
    ended = ask_once(question, verdict);
  } while (tries.again(ended.value_or(process::Ended()), "Z3"));
  if (ended) {
    verdict.lost = ended->timed_out || !tries.given_up().empty();
    verdict.reason = ended->timed_out ? "Z3 had no answer: the machine is too busy"
                     : verdict.lost   ? tries.given_up()
                                      : fmt::format("Z3 ended; it had {} MiB", question.megabytes);
    has_lost_ = has_lost_ || verdict.lost;
  }
  verdict.seconds = model::seconds_since(begin);
  steps_ += verdict.steps;
  return verdict;
}

// Returns how the process ended, if it did without an answer.
std::optional<process::Ended> Z3Process::ask_once(const Question& question, Verdict& verdict) {
  const double steps = std::min(question.seconds * kStepsOfSecond, 4e9);
  std::string text =
      fmt::format("{} {} {} {} {}\n", static_cast<unsigned>(steps), question.megabytes,
                  static_cast<unsigned>(question.seconds * kSlowest) + 2, question.doubts,
                  question.text.size() + 1);
  for (const std::string& name : question.names)
    text += name + ' ';
  text += '\n' + question.text + '\n';
  const auto end = Clock::now() + model::clock_duration(question.seconds * kBusiest + kPatience);
  std::string reply;
  bool late = false;
  if (process::write_all(socket_.number(), text.data(), text.size()) &&
      receive(socket_.number(), end, reply, late)) {
    verdict = verdict_of(reply);
    return std::nullopt;
  }
  verdict = {.steps = steps};
  socket_.close();
  process::Ended ended = process_.end();
  ended.timed_out = late;
  return ended;
}

} // namespace gputest::testgen
