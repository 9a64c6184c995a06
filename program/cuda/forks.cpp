// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/forks.h"

#include "model/clock.h"
#include "model/files.h"
#include "model/mutation/cuda_forks.h"
#include "process/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::CudaFork;
using model::CudaForkHello;
using model::CudaForkResult;

constexpr double kWorthOne = 1; // another program starts if more seconds than this are left
constexpr const char* kOriginal = "-:0"; // a mutant of no source

struct Program {
  process::Descriptor socket;
  fs::path folder;
  bool is_ready = false;                              // it has said hello
  std::optional<ForkRun> now;                         // the mutant that runs
  bool checks = false;                                // the original runs
  bool has_passed = false;                            // the original has passed
  std::vector<std::pair<ForkRun, ForkOutcome>> since; // outcomes since the original passed last
};

class Forks {
public:
  Forks(const CudaRun& run, const ForkWay& way, fs::path records, std::deque<ForkRun> queue,
        const ProgramOracle& oracle, const TimeLimit& limit,
        const std::function<void(const ForkRun&, const ForkOutcome&)>& done)
      : run_(run), way_(way), records_(std::move(records)), queue_(std::move(queue)),
        oracle_(oracle), limit_(limit), done_(done) {}

  void run() {
    start_one();
    while (children_.count() > 0) {
      std::vector<int> sockets;
      for (const auto& program : programs_)
        if (program && program->socket)
          sockets.push_back(program->socket.number());
      if (const auto ended = children_.wait(sockets)) {
        if (programs_[ended->first] && programs_[ended->first]->socket)
          hear(ended->first); // its messages from before the end
        lose(ended->first, ended->second);
        continue;
      }
      for (std::size_t i = 0; i < programs_.size(); ++i)
        if (programs_[i] && programs_[i]->socket)
          hear(i);
    }
    std::ranges::move(queue_, std::back_inserter(left_));
  }

  std::vector<ForkRun> left_;
  std::string why_;

private:
  void start_one() {
    const fs::path folder = records_ / fmt::format("forks-{}", programs_.size());
    process::Ends ends = process::packet_sockets();
    auto program = std::make_unique<Program>();
    program->socket = std::move(ends.ours);
    program->folder = folder;
    ::fcntl(program->socket.number(), F_SETFL, O_NONBLOCK);
    ChildSettings child = child_with(run_, "mutants", folder);
    child.environment.insert(way_.child.environment.begin(), way_.child.environment.end());
    child.environment[way_.variable] = std::to_string(ends.theirs.number());
    child.environment["GPUTEST_CUDA_MUTANT"] = kOriginal;
    child.descriptor = ends.theirs.number();
    child.input_from = way_.child.input_from;
    child.output = folder / "start";
    children_.start(programs_.size(), child);
    programs_.push_back(std::move(program));
  }

  // A program has ended. If others did that, another one begins.
  void lose(std::size_t index, const ChildResult& ended) {
    const bool is_theirs = programs_[index] && ended.by_others();
    if (is_theirs && programs_[index]->now) // in a process of its own, it cannot end others' runs
      left_.push_back(std::move(*std::exchange(programs_[index]->now, std::nullopt)));
    if (is_theirs &&
        tries_.again(run_.name + ": the process whose forks run mutants was " + ended.text())) {
      for (auto& [run, outcome] : std::exchange(programs_[index]->since, {}))
        queue_.push_back(std::move(run));
      fs::remove_all(programs_[index]->folder);
      programs_[index].reset();
      start_one();
      return;
    }
    drop(index, programs_[index] && !programs_[index]->is_ready ? "it does not answer"
                                                                : "it has ended by itself");
  }

  // Drops a program. Its outcomes since the original passed last are not trusted.
  void drop(std::size_t index, const std::string& why) {
    const std::unique_ptr<Program> program = std::move(programs_[index]);
    if (!program)
      return;
    children_.end(index);
    if (!program->has_passed && why_.empty())
      why_ = why; // the reason, in case no program has passed
    for (auto& [run, outcome] : program->since)
      left_.push_back(std::move(run));
    if (program->now)
      left_.push_back(std::move(*program->now));
    fs::remove_all(program->folder);
  }

  void hear(std::size_t index) {
    Program& program = *programs_[index];
    CudaForkResult result{};
    if (!program.is_ready) {
      CudaForkHello hello{};
      const ssize_t size = ::recv(program.socket.number(), &hello, sizeof hello, 0);
      if (size < 0 && errno == EAGAIN)
        return;
      if (size != sizeof hello)
        return program.socket.close(); // it ends, and then is known how
      if (hello.refused[0] != 0)
        return drop(index, hello.refused);
      if (hello.process != children_.process(index))
        return drop(index, "another program runs it");
      program.is_ready = true;
    } else {
      const ssize_t size = ::recv(program.socket.number(), &result, sizeof result, 0);
      if (size < 0 && errno == EAGAIN)
        return;
      if (size != sizeof result)
        return program.socket.close();
      if (!take(index, result))
        return;
    }
    give(index);
  }

  // Returns false if it has dropped the program.
  bool take(std::size_t index, const CudaForkResult& result) {
    Program& program = *programs_[index];
    ForkOutcome outcome;
    outcome.result.exit_code = result.exit_code;
    outcome.result.signal = result.signal;
    outcome.result.timed_out = result.timed_out;
    outcome.result.seconds = result.seconds;
    outcome.is_endless = result.is_endless;
    outcome.output = model::read_text(program.folder / "output").value_or("");
    if (way_.look)
      way_.look(outcome, program.folder);
    const bool has_run = result.refused[0] == 0 && !result.is_lost;
    const std::string others = others_did(result, outcome.result);
    if (std::exchange(program.checks, false)) {
      if (tries_.again(others))
        return true; // it runs again
      if (!has_run || outcome.is_endless || outcome.result.timed_out ||
          oracle_.judge(outcome.result, outcome.output, outcome.difference).verdict !=
              model::Verdict::Survived) {
        drop(index, result.refused[0] != 0 ? result.refused
                    : result.is_lost       ? "the process with the GPU has ended"
                                           : "the original fails so: " + outcome.result.text());
        return false;
      }
      program.has_passed = true;
      for (const auto& [run, known] : std::exchange(program.since, {}))
        done_(run, known);
      return true;
    }
    ForkRun run = std::move(*std::exchange(program.now, std::nullopt));
    if (run.tries.again(others))
      queue_.push_back(std::move(run));
    else if (!has_run || outcome.result.by_others())
      left_.push_back(std::move(run)); // in a process of its own
    else if (way_.between_checks == 0)
      done_(run, outcome);
    else
      program.since.emplace_back(std::move(run), outcome);
    ++ended_;
    start_another();
    return true;
  }

  // Returns how others have ended the run, or what it needs; empty: they have not.
  std::string others_did(const CudaForkResult& result, const ChildResult& ended) const {
    if (result.timed_out)
      return "";
    if (result.is_lost && result.refused[0] != 0)
      return run_.name + ": " + result.refused;
    return ended.by_others() ? run_.name + " was " + ended.text() : "";
  }

  void start_another() {
    const double left = static_cast<double>(queue_.size()) * model::seconds_since(*first_given_) /
                        static_cast<double>(ended_);
    if (programs_.size() < way_.programs && left > kWorthOne)
      start_one();
  }

  void give(std::size_t index) {
    Program& program = *programs_[index];
    if (limit_.is_over())
      std::ranges::move(std::exchange(queue_, {}), std::back_inserter(left_));
    const bool is_over = queue_.empty();
    if (is_over && program.since.empty()) {
      fs::remove_all(program.folder);
      children_.end(index);
      programs_[index].reset();
      return;
    }
    program.checks = !program.has_passed || is_over ||
                     (way_.between_checks > 0 && program.since.size() >= way_.between_checks);
    for (const auto& entry : fs::directory_iterator(program.folder))
      if (entry.path().filename() != "start") // records of the run before
        fs::remove_all(entry.path());
    ForkRun next{.number = 0, .mutant = kOriginal, .budget = 0, .timeout = timeout_};
    if (!program.checks) {
      next = std::move(queue_.front());
      queue_.pop_front();
      program.now = next;
      if (!first_given_)
        first_given_ = std::chrono::steady_clock::now();
      timeout_ = next.timeout;
    } else if (!queue_.empty()) {
      next.timeout = timeout_ = queue_.front().timeout;
    }
    const std::string output = program.folder / "output";
    const CudaFork how{.budget = next.budget,
                       .mutant_size = static_cast<std::uint32_t>(next.mutant.size()),
                       .output_size = static_cast<std::uint32_t>(output.size()),
                       .timeout = next.timeout};
    std::string bytes(sizeof how, 0);
    std::memcpy(bytes.data(), &how, sizeof how);
    bytes += next.mutant + output;
    if (::send(program.socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
      program.socket.close(); // it ends
  }

  const CudaRun& run_;
  const ForkWay& way_;
  fs::path records_;
  std::deque<ForkRun> queue_;
  std::size_t ended_ = 0; // runs of mutants
  std::optional<std::chrono::steady_clock::time_point> first_given_;
  const ProgramOracle& oracle_;
  const TimeLimit& limit_;
  double timeout_ = 0; // the limit of a mutant, and of the original
  const std::function<void(const ForkRun&, const ForkOutcome&)>& done_;
  process::Tries tries_; // of programs and of the original
  Children children_;
  std::vector<std::unique_ptr<Program>> programs_;
};

} // namespace

ForkWay forks_of_gpu() {
  constexpr std::size_t kPrograms = 4; // more are no faster on one GPU
  return {.variable = "GPUTEST_CUDA_FORKS",
          .programs =
              std::min<std::size_t>(kPrograms, std::max(1U, std::thread::hardware_concurrency())),
          .between_checks = 24};
}

std::vector<ForkRun>
run_in_forks(const CudaRun& run, const ForkWay& way, const fs::path& records,
             std::deque<ForkRun> queue, const ProgramOracle& oracle, const TimeLimit& limit,
             const std::function<void(const ForkRun&, const ForkOutcome&)>& done,
             std::string& why) {
  if (queue.size() < way.least)
    return {queue.begin(), queue.end()};
  Forks forks(run, way, records, std::move(queue), oracle, limit, done);
  forks.run();
  why = forks.why_;
  return std::move(forks.left_);
}

} // namespace gputest::program
