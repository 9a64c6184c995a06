// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/judge.h"

#include "ir/error.h"
#include "model/clock.h"
#include "runtime/cases/image_layout.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gputest::testgen {
namespace {

using ir::Parameter;
using runtime::JudgeMemory;
using runtime::LaunchArgument;

constexpr std::size_t kMostJudged = 64;
constexpr unsigned kMostAttempts = 3; // to start it
// A device may have to compile first. The deadline is earlier, except where cases are replayed.
constexpr double kStartSeconds = 300;

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

// How it was, as part of a verdict on a launch.
std::string text_of(const process::Ended& ended) {
  if (ended.timed_out)
    return fmt::format("did not end within {} seconds", Judge::kMostSeconds);
  if (ended.signal == 0)
    return fmt::format("ended the program with exit code {}", ended.exit_code);
  return fmt::format("was ended by signal {} ({})", ended.signal, ::strsignal(ended.signal));
}

} // namespace

runtime::JudgedLaunch judged_launch(const Target& target, const Judge::Launched& launched) {
  runtime::JudgedLaunch all{
      .launch = runtime::launch_of(launched.input.shape), .arguments = {}, .after = {}};
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
    to.element_size = from.element_size();
    to.local_size = content.local_size;
    to.is_null = content.is_null;
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

Judge::Judge(const Target& target, std::vector<std::string> command, Deadline until)
    : target_(target), command_(std::move(command)), file_("gputest-judge", JudgeMemory::kBytes),
      until_(until), memory_(std::make_unique<JudgeMemory>(file_.descriptor())) {
  start();
}

std::optional<process::Ended> Judge::try_to_start() {
  process::Ends ends = process::stream_sockets();
  process_ = process::Child::start({.words = command_,
                                    .descriptors = {{ends.theirs.number(), runtime::kJudgeSocket},
                                                    {file_.descriptor(), runtime::kJudgeMemory}},
                                    .group = process::Group::Own});
  socket_ = std::move(ends.ours);
  ends.theirs.close();
  judged_ = 0;
  const Answer answer = wait(kStartSeconds);
  if (answer != Answer::Given) {
    process::Ended ended = stop();
    ended.timed_out = answer == Answer::TooLong;
    return ended;
  }
  runtime::Reader from(memory_->answers(), JudgeMemory::kHalf);
  greeting_ = runtime::take_greeting(from);
  is_known_ = true;
  return std::nullopt;
}

// A program that cannot judge at all says why, with its exit code. One that has been started before
// can judge, so another attempt may help, and so it may after a signal.
void Judge::start() {
  for (unsigned attempt = 1;; ++attempt) {
    const std::optional<process::Ended> ended = try_to_start();
    if (!ended)
      return;
    if (tries_.again(*ended, "the host program that judges launches"))
      continue;
    if (!tries_.given_up().empty())
      throw ir::SimulatorFailure(tries_.given_up());
    if (attempt >= kMostAttempts || (!is_known_ && ended->signal == 0))
      throw JudgeEnded(ended->signal == 0 ? ended->exit_code : 3);
  }
}

process::Ended Judge::stop() {
  socket_.close();
  return process_.end();
}

// The time limit begins anew with each launch. The device's kernels use no processor time here.
Judge::Answer Judge::wait(double seconds) {
  using Clock = Deadline::Clock;
  pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
  std::uint32_t done = memory_->header().done;
  std::optional<WorkClock> work; // only where it takes long
  double begun = 0;
  Clock::time_point since = Clock::now();
  while (true) {
    const int ready = ::poll(&waiting, 1, 100);
    if (ready < 0 && errno != EINTR)
      return Answer::Ended;
    if (ready == 1) {
      char byte = 0;
      return ::read(waiting.fd, &byte, 1) == 1 ? Answer::Given : Answer::Ended;
    }
    if (until_.over()) {
      stop();
      throw OutOfTime("there is no time left to judge launches");
    }
    if (!work)
      work.emplace();
    if (const std::uint32_t later = memory_->header().done; later != done) {
      done = later;
      since = Clock::now();
      begun = work->seconds();
    }
    if ((memory_->header().doing == JudgeMemory::Doer::Device ? model::seconds_since(since)
                                                              : work->seconds() - begun) > seconds)
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
  try {
    ask(launches, thorough, all);
  } catch (const OutOfTime&) {
    if (all.empty())
      throw;
  }
  return all;
}

void Judge::ask(std::span<const Launched> launches, bool thorough,
                std::vector<runtime::Verdict>& all) {
  while (all.size() < launches.size()) {
    if (until_.over())
      throw OutOfTime("there is no time left to judge launches");
    if (!process_.runs())
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
    const auto take = [&] {
      runtime::Reader answers(memory_->answers(), JudgeMemory::kHalf);
      for (std::uint32_t i = 0; i < header.done; ++i)
        all.push_back(runtime::take_verdict(answers));
      judged_ += header.done;
    };
    Answer answer = Answer::Ended;
    try {
      if (::send(socket_.number(), &byte, 1, MSG_NOSIGNAL) == 1)
        answer = wait(kMostSeconds);
    } catch (const OutOfTime&) {
      take();
      throw;
    }
    take();
    if (answer == Answer::Given) {
      tries_ = {};
      continue;
    }
    const JudgeMemory::Doer doing = header.doing;
    process::Ended ended = stop();
    ended.timed_out = answer == Answer::TooLong;
    if (tries_.again(ended, "the host program that judges launches"))
      continue;
    if (!tries_.given_up().empty())
      throw ir::SimulatorFailure(tries_.given_up());
    if (judged_ == 0 && all.size() < launches.size())
      all.push_back(loss(doing, text_of(ended)));
  }
}

} // namespace gputest::testgen
