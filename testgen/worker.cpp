// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/worker.h"

#include "ir/error.h"
#include "process/memory_file.h"
#include "simulator/memory/guard.h"
#include "testgen/worker_messages.h"

#include <atomic>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

using runtime::Bytes;

constexpr std::size_t kHalf = std::size_t{32} << 20; // for what is asked, and for what is answered
constexpr std::size_t kMostInABatch = 64;
constexpr std::size_t kMostChecked =
    kHalf / 4;                         // bytes in a batch, whose findings are answered, too
constexpr double kSlack = 30;          // seconds, where others keep the processor busy
constexpr unsigned kMutantLimit = 5;   // times that of other launches: mutants may have more to do
constexpr unsigned kCheckedLimit = 10; // the same for those with all checks
// After so many launches that did not end, one that is tried has this share of the steps, or so
// many times those of the longest launch that was of use.
constexpr std::uint64_t kPatience = 4;
constexpr std::int64_t kTriedShare = 32, kTriedTimes = 16;

struct Header {
  std::uint32_t request, count;
  std::atomic<std::uint32_t> done, ended; // inputs; the process ends after its answer
  std::atomic<std::uint32_t> begun;       // the original has run, and mutants follow
  std::atomic<std::uint32_t> late;        // the clock has ended a launch
  std::int64_t steps;                     // that each launch may make
  std::optional<std::uint64_t> seed;
};

// Reverse, or drawn by the seed; the usual one without.
simulator::Order order_of(std::optional<std::uint64_t> seed) {
  if (!seed)
    return {};
  const auto kind = *seed == 0 ? model::Order::Kind::Reverse : model::Order::Kind::Random;
  return {{.kind = kind, .seed = *seed}, {.kind = kind, .seed = *seed}};
}

} // namespace

class Worker::Memory {
public:
  Header& header() { return *reinterpret_cast<Header*>(begin_); }
  std::byte* question() { return begin_ + 4096; }
  std::byte* answer() { return begin_ + 4096 + kHalf; }

private:
  process::MemoryFile file_{"gputest-launches", 4096 + 2 * kHalf};
  std::byte* begin_ = file_.map().data();
};

Worker::Worker(const Target& target, const Kernels& kernels, LaunchLimit limit)
    : target_(target), kernels_(kernels), limit_(limit), memory_(std::make_unique<Memory>()) {}

Worker::~Worker() = default;

void Worker::start() {
  process::Ends ends = process::stream_sockets();
  process_ = process::Child::fork([&] {
    ends.ours.close();
    serve(ends.theirs.number());
  });
  socket_ = std::move(ends.ours);
}

void Worker::use(const Kernels& kernels) {
  if (process_.runs())
    stop();
  kernels_ = kernels;
}

void Worker::stop() {
  socket_.close();
  process_.end();
}

void Worker::serve(int socket) {
  simulator::keep_guarding();
  simulator::on_large_stack([&] {
    std::optional<Launcher> launcher, checked;
    launcher.emplace(target_, *kernels_.instrumented);
    LaunchFile file;
    std::optional<Trial> trial;
    if (kernels_.mutants)
      trial.emplace(target_, *kernels_.table, *kernels_.mutants, kernels_.differences);
    char byte = 0;
    while (::read(socket, &byte, 1) == 1) {
      switch (static_cast<Request>(memory_->header().request)) {
      case Request::Run:
        answer_runs(launcher);
        break;
      case Request::Check:
        if (!checked)
          checked.emplace(target_, *kernels_.checked);
        answer_launches([&](const Input& input) {
          return Launcher::fits(input) ? checked->check(input, limit_.times(kCheckedLimit))
                                       : file.launch(target_, *kernels_.checked, input,
                                                     limit_.times(kCheckedLimit), {});
        });
        break;
      case Request::Ordered:
        answer_launches([&](const Input& input) {
          return file.launch(target_, *kernels_.ordered, input, limit_.times(kCheckedLimit),
                             order_of(memory_->header().seed));
        });
        break;
      case Request::Mutants:
        answer_mutants(trial.value());
        break;
      }
      if (::write(socket, &byte, 1) != 1 || memory_->header().ended != 0)
        return;
    }
  });
}

void Worker::answer_runs(std::optional<Launcher>& launcher) {
  Header& header = memory_->header();
  Reader questions(memory_->question(), kHalf);
  Writer answers(memory_->answer(), kHalf);
  const LaunchLimit limit{.steps = header.steps, .seconds = limit_.seconds};
  for (std::uint32_t i = 0; i < header.count; ++i) {
    const Outcome outcome = launcher->run(take_input(questions, target_.arguments.size()), limit);
    put(answers, outcome);
    header.late = header.late | launcher->is_late();
    header.done = i + 1;
    if (outcome.fault == Fault::None)
      continue;
    if (!launcher->is_intact()) {
      header.ended = 1;
      return;
    }
    // What the launch has left depends on when it was interrupted.
    launcher.emplace(target_, *kernels_.instrumented);
  }
}

void Worker::answer_launches(const std::function<Checked(const Input&)>& launch) {
  Header& header = memory_->header();
  Reader questions(memory_->question(), kHalf);
  Writer answers(memory_->answer(), kHalf);
  for (std::uint32_t i = 0; i < header.count && header.ended == 0; ++i) {
    const Checked checked = launch(take_input(questions, target_.arguments.size()));
    put(answers, checked);
    header.done = i + 1;
    header.late = header.late | checked.late;
    header.ended = checked.fault == Fault::None ? 0 : 1;
  }
}

void Worker::answer_mutants(Trial& trial) {
  Header& header = memory_->header();
  Reader question(memory_->question(), kHalf);
  Writer answer(memory_->answer(), kHalf);
  const auto all = question.take<bool>();
  const Oracle oracle = take_oracle(question);
  const Input input = take_input(question, target_.arguments.size());
  if (!trial.begin(input, oracle, limit_)) {
    header.late = header.late | trial.is_late();
    header.ended = 1;
    return;
  }
  header.begun = 1;
  for (std::uint32_t i = 0; i < header.count; ++i) {
    bool fault = false;
    const Fate fate = trial.run(kernels_.table->mutants[question.take<std::uint32_t>()],
                                limit_.times(kMutantLimit), fault);
    answer.put(fate);
    header.done = i + 1;
    header.late = header.late | trial.is_late();
    if (fault)
      header.ended = 1;
    if (fault || (!all && fate != Fate::Killed))
      return;
  }
}

// The time limit begins anew with each launch.
Worker::End Worker::wait(double seconds) {
  const std::atomic<std::uint32_t>& done = memory_->header().done;
  std::uint32_t known = done;
  Deadline stuck = Deadline::after(seconds);
  pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
  while (true) {
    const double left = stuck.or_earlier(until_).left();
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left, 1e6) * 1000) + 1);
    if (ready == 1) {
      char byte = 0;
      return ::read(waiting.fd, &byte, 1) == 1 ? End::Answered : End::Died;
    }
    if (ready < 0 && errno != EINTR)
      return End::Died;
    if (until_.over()) {
      stop();
      throw OutOfTime("a launch takes longer than there is time");
    }
    if (known != done)
      stuck = Deadline::after(seconds);
    else if (stuck.over())
      return End::Stuck;
    known = done;
  }
}

Worker::End Worker::exchange(double seconds) {
  Header& header = memory_->header();
  while (true) {
    header.done = 0;
    if (until_.over()) {
      stop();
      throw OutOfTime("there is no time left for launches");
    }
    if (!process_.runs())
      start();
    header.ended = 0;
    header.begun = 0;
    header.late = 0;
    char byte = 0;
    const End end =
        ::send(socket_.number(), &byte, 1, MSG_NOSIGNAL) == 1 ? wait(seconds + kSlack) : End::Died;
    if (tries_.again(end == End::Died ? process_.end() : process::Ended(),
                     "the process that launches the kernel"))
      continue;
    if (!tries_.given_up().empty())
      throw ir::SimulatorFailure(tries_.given_up());
    is_late_ = is_late_ || end == End::Stuck || header.late != 0;
    if (end != End::Answered || header.ended != 0) {
      ++faults_;
      stop();
    }
    return end;
  }
}

LaunchLimit Worker::limit_of_trials() const {
  if (used_up_ < kPatience)
    return limit_;
  const std::int64_t least = limit_.steps / kTriedShare;
  const std::int64_t steps = most_steps_ > limit_.steps / kTriedTimes
                                 ? limit_.steps
                                 : std::max(least, most_steps_ * kTriedTimes);
  return {.steps = steps, .seconds = limit_.seconds};
}

std::vector<Outcome> Worker::run(std::span<const Input> inputs) {
  return run(inputs, limit_);
}

std::vector<Outcome> Worker::try_run(std::span<const Input> inputs) {
  return run(inputs, limit_of_trials());
}

std::vector<Outcome> Worker::run(std::span<const Input> inputs, LaunchLimit limit) {
  std::vector<Outcome> all;
  while (all.size() < inputs.size()) {
    Header& header = memory_->header();
    header.request = static_cast<std::uint32_t>(Request::Run);
    Writer questions(memory_->question(), kHalf);
    std::uint32_t count = 0;
    while (all.size() + count < inputs.size() && count < kMostInABatch &&
           (count == 0 || questions.left() > encoded_size(inputs[all.size() + count])))
      put(questions, inputs[all.size() + count++]);
    header.count = count;
    header.steps = limit.steps;
    const End end = exchange(limit_.seconds);
    Reader answers(memory_->answer(), kHalf);
    for (std::uint32_t i = 0; i < header.done; ++i) {
      all.push_back(take_outcome(answers));
      used_up_ += all.back().fault == Fault::Endless && limit.steps == limit_.steps;
    }
    launches_ += header.done;
    if (end != End::Answered) { // the one that it was at has ended the process, or holds it up
      used_up_ += end != End::Died && limit.steps == limit_.steps;
      all.push_back({.fault = end == End::Died ? Fault::Crash : Fault::Endless,
                     .words = {},
                     .extents = {},
                     .late = end != End::Died});
      all.back().extents.resize(target_.arguments.size());
    }
  }
  return all;
}

void Worker::take_checked(std::vector<Checked>& all) {
  Reader answers(memory_->answer(), kHalf);
  const std::uint32_t done = memory_->header().done;
  for (std::uint32_t i = 0; i < done; ++i)
    all.push_back(testgen::take_checked(answers));
  launches_ += done;
}

std::vector<Checked> Worker::launch(Request request, std::span<const Input> inputs) {
  std::vector<Checked> all;
  while (all.size() < inputs.size()) {
    Header& header = memory_->header();
    header.request = static_cast<std::uint32_t>(request);
    Writer questions(memory_->question(), kHalf);
    std::uint32_t count = 0;
    for (std::size_t bytes = 0; all.size() + count < inputs.size() && count < kMostInABatch;
         ++count) {
      const Input& input = inputs[all.size() + count];
      bytes += encoded_size(input);
      if (count != 0 && bytes > kMostChecked)
        break;
      put(questions, input);
    }
    header.count = count;
    try {
      const End end = exchange(limit_.times(kCheckedLimit).seconds);
      take_checked(all);
      if (end != End::Answered) // the one that it was at has ended the process, or holds it up
        all.push_back({.fault = end == End::Stuck ? Fault::Endless : Fault::Crash,
                       .findings = {},
                       .after = {},
                       .late = end == End::Stuck});
    } catch (const OutOfTime&) {
      take_checked(all);
      if (all.empty())
        throw;
      return all;
    }
  }
  return all;
}

std::vector<Checked> Worker::check(std::span<const Input> inputs) {
  return launch(Request::Check, inputs);
}

std::optional<std::vector<Bytes>> Worker::run_ordered(const Input& input,
                                                      std::optional<std::uint64_t> seed) {
  memory_->header().seed = seed;
  Checked ordered = std::move(launch(Request::Ordered, std::span(&input, 1)).front());
  if (ordered.fault != Fault::None)
    return std::nullopt;
  return std::move(ordered.after);
}

std::vector<Fate> Worker::try_mutants(const Input& input, const Oracle& oracle,
                                      std::span<const model::Mutant* const> mutants, bool all) {
  std::vector<Fate> fates;
  while (fates.size() < mutants.size() && (all || fates.empty() || fates.back() == Fate::Killed)) {
    const auto left = mutants.subspan(fates.size());
    Header& header = memory_->header();
    header.request = static_cast<std::uint32_t>(Request::Mutants);
    header.count = static_cast<std::uint32_t>(left.size());
    Writer question(memory_->question(), kHalf);
    question.put(all);
    put(question, oracle);
    put(question, input);
    for (const model::Mutant* const mutant : left)
      question.put(static_cast<std::uint32_t>(mutant - kernels_.table->mutants.data()));
    const End end = exchange(limit_.times(kMutantLimit).seconds);
    if (header.begun == 0)
      return {};
    Reader answer(memory_->answer(), kHalf);
    for (std::uint32_t i = 0; i < header.done; ++i)
      fates.push_back(answer.take<Fate>());
    mutant_launches_ += header.done + 1;
    if (end != End::Answered) // the one that it was at has ended the process, or holds it up
      fates.push_back(end == End::Died ? Fate::Killed : Fate::Endless);
  }
  return fates;
}

} // namespace gputest::testgen
