// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/directed/director.h"

#include "templates/simulator/context.h"
#include "testgen/directed/server.h"
#include "testgen/solve/z3_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace gputest::testgen {
namespace {

using runtime::Bytes;

constexpr std::size_t kMostInputs = 6; // that are traced for a goal
// Inputs that reach a goal and with which the kernel is at fault; more of them are alike.
constexpr std::uint64_t kMostRefused = 4;
constexpr double kEndSeconds = 5; // that the server has to see that a question is ended

Bytes bytes_of(const SolveQuestion& question, const std::vector<Input>& inputs) {
  std::size_t size = sizeof question;
  for (const Input& input : inputs)
    size += encoded_size(input);
  Bytes bytes(size);
  Writer writer(bytes.data(), bytes.size());
  writer.put(question);
  for (const Input& input : inputs)
    put(writer, input);
  return bytes;
}

} // namespace

// `take` gets each answer of the server; true ends the question.
struct Director::Answers {
  std::function<bool(const Words::One&)> take;
};

Director::Director(const Target& target, const Constraints& constraints)
    : target_(target), constraints_(constraints),
      is_over_(*new(memory_.map().data()) std::atomic<bool>(false)) {}

void Director::start() {
  if (server_.runs())
    return;
  process::Ends ends = process::stream_sockets();
  server_ = process::Child::fork([&] {
    ends.ours.close();
    answer_questions(target_, constraints_, ends.theirs.number(), is_over_);
  });
  socket_ = std::move(ends.ours);
}

process::Ended Director::stop() {
  socket_.close();
  return server_.end();
}

void Director::ask(Word asked, const std::vector<std::byte>& question, Deadline until,
                   const std::string& kind, const Answers& answers) {
  process::Tries tries;
  std::optional<process::Ended> ended;
  while (!until.over()) {
    ended = ask_once(asked, question, until, kind, answers);
    if (!tries.again(ended.value_or(process::Ended()), "the process that asks the solver"))
      return;
  }
}

std::optional<process::Ended> Director::ask_once(Word asked, const std::vector<std::byte>& question,
                                                 Deadline until, const std::string& kind,
                                                 const Answers& answers) {
  start();
  is_over_ = false;
  if (!send_word(socket_.number(), asked, question.data(), question.size()))
    return stop();
  const auto taken = [&](const Words::One& one) {
    try {
      return answers.take(one);
    } catch (...) { // what comes is of no use to the next question
      stop();
      throw;
    }
  };
  Words words;
  pid_t working = -1;
  bool ended = false; // by us: what it still says is not listened to
  std::array<std::byte, 65536> part;
  pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
  while (true) {
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(until.left(), 1e6) * 1000) + 1);
    if (ready < 0 && errno == EINTR)
      continue;
    const ssize_t size = ready == 1 ? ::recv(waiting.fd, part.data(), part.size(), 0) : -1;
    if (size > 0) {
      words.add(part.data(), static_cast<std::size_t>(size));
      while (const auto one = words.take()) {
        if (one->word == Word::Done)
          return std::nullopt;
        if (one->word == Word::Started) {
          Reader reader(one->bytes.data(), one->bytes.size());
          working = reader.take<pid_t>();
        } else if (!ended && taken(*one)) {
          until = Deadline::after(0);
        }
      }
    }
    if (ready == 1 && size <= 0) { // it is gone
      const process::Ended how = stop();
      return ended ? std::nullopt : std::optional(how);
    }
    if (!until.over())
      continue;
    if (working < 0 || ended) { // its preparations are too slow to wait for again
      if (working < 0)
        too_slow_.insert(kind);
      stop();
      return std::nullopt;
    }
    is_over_ = true;
    ::kill(-working, SIGKILL);
    ::kill(working, SIGKILL);
    ended = true;
    until = Deadline::after(kEndSeconds);
  }
}

DirectedAnswer Director::ask(const Goal& goal, InputSearch& search, Deadline until, double seconds,
                             Effort effort) {
  DirectedAnswer answer;
  if (goal.mutant && !target_.mutants->differences.bits.contains(goal.mutant->number))
    return answer;
  until = until.within(seconds);
  // Inputs that make the goal's decision come first, the latest before others. If the kernel uses
  // functions of warps, half of them have a whole warp.
  std::vector<std::size_t> chosen;
  const auto decides_there = [&](const Outcome& outcome) {
    return !goal.mutant &&
           std::ranges::any_of(target_.sites.sites[goal.site].outcomes,
                               [&](const model::Outcome& one) { return outcome.has(one.bit); });
  };
  const auto choose = [&](bool decides, std::size_t least_of_group, std::size_t most) {
    for (std::size_t i = search.valid().size(); i-- > 0 && chosen.size() < most;)
      if (decides_there(search.outcomes()[i]) == decides &&
          search.valid()[i].shape.items_of_group() >= least_of_group &&
          std::ranges::find(chosen, i) == chosen.end())
        chosen.push_back(i);
  };
  if (target_.dictionary.warps)
    choose(true, GPUTEST_WARP_LANES, kMostInputs / 2);
  for (const bool decides : {true, false})
    choose(decides, 1, kMostInputs);
  std::vector<Input> inputs;
  for (const std::size_t i : chosen)
    inputs.push_back(search.valid()[i]);

  SolveQuestion question{
      .goal = goal, .effort = effort, .inputs = static_cast<std::uint32_t>(inputs.size())};
  std::uint64_t refused = 0;
  const Answers answers{[&](const Words::One& one) {
    Reader reader(one.bytes.data(), one.bytes.size());
    if (one.word == Word::Input) {
      const auto method = reader.take<Method>();
      const std::uint64_t before = search.refused(goal);
      search.offer(take_input(reader, target_.arguments.size()));
      answer.reached = search.reached(goal);
      if (answer.reached)
        answer.method = method;
      else if (search.refused(goal) != before && ++refused == kMostRefused)
        return true;
    } else if (one.word == Word::Late) {
      late_ = true;
    } else {
      answer.open.assign(reinterpret_cast<const char*>(one.bytes.data()), one.bytes.size());
    }
    return answer.reached;
  }};
  for (const bool sizes : {false, true}) {
    if (answer.reached)
      break;
    if (sizes && (!constraints_.shapes.empty() || !target_.dictionary.launch_sizes))
      break;
    question.sizes = sizes;
    refused = 0;
    const std::string kind = goal.mutant ? (sizes ? "sizes for mutants" : "traces for mutants")
                                         : (sizes ? "sizes" : "traces");
    // Later efforts have more time, so each effort has its own record of what was too slow.
    const std::string effort_kind = effort == Effort::Cheaply ? kind + ", cheaply" : kind;
    if (too_slow_.contains(effort_kind)) {
      answer.open = fmt::format("what is needed for {} takes longer than there is time", kind);
      continue;
    }
    ask(Word::Solve, bytes_of(question, inputs), until, effort_kind, answers);
  }
  return answer;
}

void Director::prove(Word word, const std::vector<Goal>& goals, Deadline until,
                     const std::string& kind, const Proved& proved) {
  if (goals.empty() || too_slow_.contains(kind) || solver_program().empty())
    return;
  Bytes bytes(sizeof(std::uint64_t) + goals.size() * sizeof(Goal));
  Writer writer(bytes.data(), bytes.size());
  writer.put_sized(goals.data(), goals.size() * sizeof(Goal));
  ask(word, bytes, until, kind, {[&](const Words::One& one) {
        if (one.word != Word::Proof)
          return false;
        Reader reader(one.bytes.data(), one.bytes.size());
        const auto bit = reader.take<unsigned>();
        const auto proof = reader.take_sized<std::string>();
        const auto goal = std::ranges::find(goals, bit, &Goal::bit);
        if (goal != goals.end() && !proof.empty())
          proved(*goal, proof);
        return false;
      }});
}

void Director::prove_impossible(const std::vector<Goal>& outcomes, Means means, Deadline until,
                                const Proved& proved) {
  if (means == Means::Invariants)
    prove(Word::Invariants, outcomes, until, "proofs with invariants", proved);
  else
    prove(Word::Outcomes, outcomes, until, "proofs", proved);
}

void Director::prove_equivalent(const std::vector<Goal>& mutants, Deadline until,
                                const Proved& proved) {
  prove(Word::Mutants, mutants, until, "proofs of mutants", proved);
}

} // namespace gputest::testgen
