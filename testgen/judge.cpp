// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/judge.h"

#include "ir/error.h"
#include "model/clock.h"
#include "runtime/cases/image_layout.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gputest::testgen {
namespace {

using runtime::JudgeMemory;
using runtime::LaunchArgument;
using simulator::Parameter;

constexpr std::size_t kMostJudged = 64;
constexpr unsigned kMostAttempts = 3; // to start it, and after others have ended it
constexpr double kStartSeconds = 300; // a device may have to compile first

LaunchArgument::Kind kind_of(Parameter::Kind kind) {
  switch (kind) {
  case Parameter::Kind::Buffer:
    return LaunchArgument::Kind::Buffer;
  case Parameter::Kind::Local:
    return LaunchArgument::Kind::Local;
  case Parameter::Kind::Image:
    return LaunchArgument::Kind::Image;
  case Parameter::Kind::Sampler:
    return LaunchArgument::Kind::Sampler;
  case Parameter::Kind::Value:
    break;
  }
  return LaunchArgument::Kind::Value;
}

// Moves a descriptor beyond the numbers of those that the program is given.
int moved_up(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, runtime::kJudgeMemory + 1);
  ::close(descriptor);
  return moved;
}

} // namespace

runtime::JudgedLaunch judged_launch(const Target& target, const Judge::Launched& launched) {
  runtime::JudgedLaunch all;
  const Shape& shape = launched.input.shape;
  all.launch.dimensions = shape.dimensions;
  for (unsigned i = 0; i < 3; ++i) {
    all.launch.global_size[i] = shape.global[i];
    all.launch.local_size[i] = shape.local[i];
  }
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& from = target.arguments[i];
    const Content& content = launched.input.arguments[i];
    if (from.shared) {
      all.launch.shared_memory = content.local_size;
      continue;
    }
    LaunchArgument& to = all.arguments.emplace_back();
    to.name = from.name;
    to.kind = kind_of(from.kind);
    to.bytes = content.bytes;
    to.element_size = std::max<std::size_t>(from.type.size, 1);
    to.local_size = content.local_size;
    to.writable = target.interface.arguments[i].access != model::Access::Read;
    if (from.image) {
      to.image = from.image;
      to.image->width = content.extent[0];
      to.image->height = content.extent[1];
      to.image->depth = content.extent[2];
    }
    if (from.kind == Parameter::Kind::Sampler) {
      const SamplerChoice& words = kSamplers.at(content.sampler);
      to.sampler =
          runtime::sampler_settings(words.addressing, words.filter, words.normalized, from.name);
    }
  }
  all.after = launched.after;
  all.after.resize(all.arguments.size());
  return all;
}

Judge::Judge(const Target& target, std::vector<std::string> command)
    : target_(target), command_(std::move(command)) {
  file_ = moved_up(::memfd_create("gputest-judge", MFD_CLOEXEC));
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(JudgeMemory::kBytes)) != 0)
    throw simulator::SimulatorFailure("cannot make a file in memory");
  memory_ = std::make_unique<JudgeMemory>(file_);
  start();
}

Judge::~Judge() {
  stop();
  ::close(file_);
}

bool Judge::try_to_start(int& status) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw simulator::SimulatorFailure("cannot make a socket pair");
  socket_ = moved_up(ends[0]);
  const int theirs = moved_up(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs, runtime::kJudgeSocket);
  ::posix_spawn_file_actions_adddup2(&actions, file_, runtime::kJudgeMemory);
  std::vector<char*> words;
  for (std::string& word : command_)
    words.push_back(word.data());
  words.push_back(nullptr);
  const int failed =
      ::posix_spawn(&process_, words.front(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(theirs);
  if (failed != 0) {
    process_ = -1;
    throw simulator::SimulatorFailure(
        fmt::format("{}: cannot be started: {}", command_.front(), std::strerror(failed)));
  }
  judged_ = 0;
  const Deadline asking = std::exchange(until_, {});
  const Answer answer = wait(kStartSeconds);
  until_ = asking;
  if (answer != Answer::Given) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status, 0);
    process_ = -1;
    stop();
    return false;
  }
  runtime::Reader from(memory_->answers(), JudgeMemory::kHalf);
  greeting_ = runtime::take_greeting(from);
  is_known_ = true;
  return true;
}

// A program that cannot judge at all says why, with its exit code. One that has been started before
// can judge, so another attempt may help, and so it may after a signal.
void Judge::start() {
  for (unsigned attempt = 1;; ++attempt) {
    int status = 0;
    if (try_to_start(status))
      return;
    if (attempt == kMostAttempts || (!is_known_ && WIFEXITED(status)))
      throw JudgeEnded(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
  }
}

void Judge::stop() {
  if (socket_ >= 0)
    ::close(socket_);
  socket_ = -1;
  if (process_ <= 0)
    return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::string Judge::end_of_process() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  killed_ = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
  if (WIFEXITED(status))
    return fmt::format("ended the program with exit code {}", WEXITSTATUS(status));
  return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                     ::strsignal(WTERMSIG(status)));
}

// The time limit begins anew with each launch. The device's kernels use no processor time here.
Judge::Answer Judge::wait(double seconds) {
  using Clock = Deadline::Clock;
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  std::uint32_t done = memory_->header().done;
  const WorkClock work;
  double begun = work.seconds();
  Clock::time_point since = Clock::now();
  while (true) {
    const int ready = ::poll(&waiting, 1, 100);
    if (ready < 0 && errno != EINTR)
      return Answer::Ended;
    if (ready == 1) {
      char byte = 0;
      return ::read(socket_, &byte, 1) == 1 ? Answer::Given : Answer::Ended;
    }
    if (until_.over()) {
      stop();
      throw OutOfTime("there is no time left to judge launches");
    }
    if (const std::uint32_t later = memory_->header().done; later != done) {
      done = later;
      since = Clock::now();
      begun = work.seconds();
    }
    if ((memory_->header().doing == JudgeMemory::Doer::Device ? seconds_since(since)
                                                              : work.seconds() - begun) > seconds)
      return Answer::TooLong;
  }
}

// What ended a process that has judged nothing else. If it had come back from the author's
// function, that has left the program's memory damaged.
runtime::Verdict Judge::loss(JudgeMemory::Doer doing, const std::string& how) const {
  using Doer = JudgeMemory::Doer;
  using Kind = runtime::Verdict::Kind;
  if (doing == Doer::Itself) {
    const auto [kind, name] =
        greeting_.reference  ? std::pair(Kind::UnlikeReference, "the reference function")
        : greeting_.property ? std::pair(Kind::AgainstProperty, "the property")
                             : std::pair(Kind::UnlikeDevice, "the device");
    return {kind, "its end", fmt::format("after {} has run, the host program {}", name, how)};
  }
  if (doing == Doer::ReferenceFunction)
    return {Kind::UnlikeReference, "its end", "the reference function " + how};
  if (doing == Doer::PropertyFunction)
    return {Kind::AgainstProperty, "its end", "the property " + how};
  return {Kind::UnlikeDevice, "its end", "the kernel on the device " + how};
}

std::vector<runtime::Verdict> Judge::ask(std::span<const Launched> launches, bool thorough) {
  std::vector<runtime::Verdict> all;
  while (all.size() < launches.size()) {
    if (until_.over())
      throw OutOfTime("there is no time left to judge launches");
    if (process_ <= 0)
      start();
    JudgeMemory::Header& header = memory_->header();
    runtime::Writer questions(memory_->questions(), JudgeMemory::kHalf);
    std::uint32_t count = 0;
    while (all.size() + count < launches.size() && count < kMostJudged) {
      const runtime::JudgedLaunch next = judged_launch(target_, launches[all.size() + count]);
      if (count != 0 && questions.left() < runtime::most_bytes_of(next))
        break;
      put(questions, next);
      ++count;
    }
    header.count = count;
    header.thorough = thorough ? 1 : 0;
    header.done = 0;
    header.doing = JudgeMemory::Doer::Itself;
    char byte = 0;
    const Answer answer =
        ::send(socket_, &byte, 1, MSG_NOSIGNAL) == 1 ? wait(kMostSeconds) : Answer::Ended;
    runtime::Reader answers(memory_->answers(), JudgeMemory::kHalf);
    for (std::uint32_t i = 0; i < header.done; ++i)
      all.push_back(runtime::take_verdict(answers));
    judged_ += header.done;
    if (answer == Answer::Given) {
      kills_ = 0;
      continue;
    }
    const JudgeMemory::Doer doing = header.doing;
    killed_ = false;
    const std::string how = answer == Answer::Ended
                                ? end_of_process()
                                : fmt::format("did not end within {} seconds", kMostSeconds);
    stop();
    if (killed_) { // by somebody else, which says nothing of the launch
      if (++kills_ == kMostAttempts)
        throw simulator::SimulatorFailure("the host program that judges launches " + how);
      continue;
    }
    if (judged_ == 0 && all.size() < launches.size())
      all.push_back(loss(doing, how));
  }
  return all;
}

} // namespace gputest::testgen
