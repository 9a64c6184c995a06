// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/fuzz/judge.h"

#include "gputest/error.h"
#include "model/clock.h"
#include "runtime/cases/comparison.h"
#include "runtime/cases/judged_launch.h"
#include "runtime/cases/scalar.h"
#include "runtime/plan/oracles.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Doer = JudgeMemory::Doer;

// The share of the time for a device, which may take a hundred times as long as the simulator.
constexpr double kDeviceShare = 0.3;

// "3 of 64 values" and "5 of 8 values" are one kind of failure.
std::string without_numbers(const std::string& text) {
  std::string kept;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0)
      kept += c;
  return kept.substr(0, kept.find('\n'));
}

class Judging {
public:
  Judging(const Plan& plan, const KernelDescription& description)
      : plan_(plan), oracles_(oracles_of(plan, description)) {
    if (plan.machine->stands_in)
      return;
    try {
      machine_ = plan.open_machine({});
      const auto lock_step = static_cast<unsigned>(plan.defaults.lock_step);
      if (lock_step != 0 && !machine_->keeps_in_step(lock_step)) {
        machine_.reset();
        return;
      }
      const Subject subject = original_subject(plan);
      kernel_ = machine_->build(subject.text, subject.settings, subject.kernel, subject.source);
    } catch (const NoDevice&) { // the others can judge
      machine_.reset();
    }
  }

  JudgeGreeting greeting() const {
    return {static_cast<bool>(oracles_.reference), oracles_.property != nullptr,
            machine_ ? machine_->name() : ""};
  }

  Verdict judge(JudgedLaunch launched, bool thorough, std::atomic<Doer>& doing) {
    const auto [initial, computed] = cases_of(std::move(launched));
    if (oracles_.reference) {
      doing = Doer::ReferenceFunction;
      if (auto verdict = ask_reference(initial, computed))
        return *verdict;
    }
    if (oracles_.property) {
      doing = Doer::PropertyFunction;
      if (const std::string wrong = wrong_with(oracles_.property, initial, computed);
          !wrong.empty())
        return {Verdict::Kind::AgainstProperty, without_numbers(wrong), wrong};
    }
    if (machine_ && (thorough || device_seconds_ < kDeviceShare * model::seconds_since(begin_))) {
      doing = Doer::Device;
      const Clock::time_point begin = Clock::now();
      const Verdict verdict = ask_device(initial, computed);
      device_seconds_ += model::seconds_since(begin);
      return verdict;
    }
    return {};
  }

private:
  std::pair<BoundCase, BoundCase> cases_of(JudgedLaunch launched) const {
    BoundCase initial;
    initial.name = "input";
    initial.launch = launched.launch;
    initial.launch.lock_step = static_cast<unsigned>(plan_.defaults.lock_step);
    initial.tolerance = plan_.defaults.tolerance;
    for (std::size_t i = 0; i < launched.arguments.size(); ++i) {
      const model::Argument& argument = plan_.interface.arguments.at(i);
      LaunchArgument& given = launched.arguments[i];
      initial.types.push_back(given.image ? given.image->pixel_type() : argument.type);
      initial.outputs.push_back(argument.output);
      initial.arguments.push_back(std::move(given));
    }
    read_back_all(initial);
    BoundCase computed = initial;
    for (std::size_t i = 0; i < computed.arguments.size(); ++i)
      if (!launched.after[i].empty())
        computed.arguments[i].bytes = std::move(launched.after[i]);
    return {std::move(initial), std::move(computed)};
  }

  std::optional<Verdict> ask_reference(const BoundCase& initial, const BoundCase& computed) const {
    try {
      const auto objections = compare_with_reference(oracles_.reference, initial, computed);
      if (objections.empty())
        return std::nullopt;
      return Verdict{Verdict::Kind::UnlikeReference, objections.front().argument,
                     objections.front().message};
    } catch (const OracleError& error) {
      return Verdict{Verdict::Kind::UnlikeReference, without_numbers(error.what()), error.what()};
    }
  }

  BoundCase on_device(const BoundCase& initial) const {
    BoundCase launched = initial;
    Bytes state;
    const LaunchOutcome outcome = kernel_->launch(launched.launch, launched.arguments, state);
    if (!outcome.out_of_bounds.empty())
      throw KernelError(outcome.out_of_bounds.front());
    return launched;
  }

  Tolerance tolerance_of(std::size_t position, const BoundCase& computed) const {
    const Tolerance& given = computed.tolerance;
    return given.absolute || given.relative || given.ulp
               ? given
               : for_other_compilers(given, computed.types[position],
                                     computed.arguments[position].bytes);
  }

  // The first output that differs; `text` says how.
  std::optional<Objection> difference(const BoundCase& expected, const BoundCase& actual) const {
    for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
      if (!expected.outputs[i])
        continue;
      const Comparison comparison = compare(expected.types[i], expected.arguments[i].bytes,
                                            actual.arguments[i].bytes, tolerance_of(i, expected));
      if (!comparison.equal())
        return Objection{expected.arguments[i].name,
                         describe(comparison, expected.arguments[i].name)};
    }
    return std::nullopt;
  }

  // Outputs that vary from launch to launch on the device are no difference.
  Verdict ask_device(const BoundCase& initial, const BoundCase& computed) const {
    try {
      const BoundCase first = on_device(initial);
      const auto differs = difference(computed, first);
      if (!differs || difference(first, on_device(initial)))
        return {};
      return {
          Verdict::Kind::UnlikeDevice, differs->argument,
          fmt::format("{} ({}, compared with the simulator)", differs->message, machine_->name())};
    } catch (const KernelError& error) {
      return {Verdict::Kind::UnlikeDevice, without_numbers(error.what()),
              fmt::format("on {}: {}", machine_->name(), error.what())};
    } catch (const UsageError&) { // this device cannot launch it, for example because a group is
                                  // too large
      return {};
    }
  }

  const Plan& plan_;
  Oracles oracles_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
  Clock::time_point begin_ = Clock::now();
  double device_seconds_ = 0;
};

} // namespace

int run_judge(const Plan& plan, const KernelDescription& description) {
  struct stat socket{}, file{};
  if (::fstat(kJudgeSocket, &socket) != 0 || !S_ISSOCK(socket.st_mode) ||
      ::fstat(kJudgeMemory, &file) != 0 ||
      // Other descriptors may be open there.
      file.st_size != static_cast<off_t>(JudgeMemory::kBytes))
    throw UsageError("--judge is for `gputest fuzz` to give: --fuzz looks for inputs");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  JudgeMemory memory(kJudgeMemory);
  Judging judging(plan, description);
  char byte = 0;
  const auto tell = [&] { return ::write(kJudgeSocket, &byte, 1) == 1; };
  {
    Writer greeting(memory.answers(), JudgeMemory::kHalf);
    put(greeting, judging.greeting());
  }
  if (!tell())
    return 0;
  while (::read(kJudgeSocket, &byte, 1) == 1) {
    JudgeMemory::Header& header = memory.header();
    Reader questions(memory.questions(), JudgeMemory::kHalf);
    Writer answers(memory.answers(), JudgeMemory::kHalf);
    for (std::uint32_t i = 0; i < header.count; ++i) {
      JudgedLaunch launched = take_judged_launch(questions);
      put(answers, judging.judge(std::move(launched), header.thorough != 0, header.doing));
      header.doing = Doer::Itself;
      header.done = i + 1;
    }
    std::fflush(nullptr); // what the author's functions print
    if (!tell())
      break;
  }
  return 0;
}

} // namespace gputest::runtime
