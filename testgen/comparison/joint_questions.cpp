// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/joint_questions.h"

#include "testgen/comparison/joint.h"
#include "testgen/directed/messages.h"
#include "testgen/directed/traced_input.h"
#include "testgen/solve/solve.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <poll.h>
#include <set>
#include <sys/socket.h>
#include <utility>

// A question is Word::Solve with inputs. For each of the solver's questions, Word::Started follows,
// then Word::Input with an input or Word::Proof (there is none), if it was answered. Word::Open is
// why nothing was asked, and Word::Late tells that nothing was asked about one of the inputs. The
// last word is Done; it has a byte if some questions were not asked.

namespace gputest::testgen {
namespace {

constexpr std::size_t kDecisionsOfInput = 12, kOutputsOfInput = 6;
constexpr std::size_t kSamePlace = 2; // decisions of one place that are turned around
// Steps of the search are few, and each is short, so its seconds are not reached. What Z3 answers
// at all, it answers in a hundredth of its time here, and floating-point sums use all that there
// is.
constexpr SolverLimits kJointLimits{.evaluations = 4'000, .seconds = 10, .z3_seconds = 0.1};
// What may be asked from one input and in all, in steps of Z3 (kStepsOfSecond). A step of the
// search counts as so many, for each expression, and a floating-point operation that Z3 makes a
// circuit of.
constexpr double kStepsOfInput = 0.4 * kStepsOfSecond, kStepsOfAll = 1.2 * kStepsOfSecond;
constexpr double kStepsOfEvaluation = 0.1, kStepsOfCircuit = 0.1 * kStepsOfSecond;

// Returns a number for each condition, the same one in all runs in which it is the same expression
// of the inputs.
std::set<std::uint64_t> numbers_of(const Traced& traced, const Conditions& conditions) {
  std::vector<Label> roots = conditions.prefix;
  if (conditions.wanted)
    roots.push_back(conditions.wanted);
  const auto mixed = [](std::uint64_t seed, std::uint64_t more) {
    seed = (seed ^ more) * 0x9E3779B97F4A7C15;
    return seed ^ seed >> 29;
  };
  std::vector<std::uint64_t> numbers(conditions.table.end());
  for (const Label part : parts_of(conditions.table, roots)) {
    const Node& node = conditions.table[part];
    std::uint64_t number = mixed(static_cast<std::uint64_t>(node.op) + 1, node.bits);
    if (node.op == Op::Input) {
      const Unit& unit = traced.units[node.number];
      for (const std::uint64_t one :
           {std::uint64_t{unit.argument}, unit.offset, static_cast<std::uint64_t>(unit.kind)})
        number = mixed(number, one);
    } else if (node.op == Op::Call) {
      number = mixed(number, std::hash<std::string>()(traced.functions->all[node.number].name));
    } else {
      number = mixed(number, node.number);
    }
    for (const Label operand : {node.a, node.b, node.c})
      number = mixed(number, operand ? numbers[operand] : 1);
    numbers[part] = number;
  }
  std::set<std::uint64_t> all;
  for (const Label root : roots)
    all.insert(numbers[root]);
  return all;
}

// In the process that does the work.
class Questions {
public:
  Questions(const Target& first, const Target& second, const Pairing& pairing, int socket)
      : first_(first), second_(second), pairing_(pairing), socket_(socket),
        trace_first_(first.original, first.kernel(), {.outputs = true}),
        trace_second_(second.original, second.kernel(), {.outputs = true}) {}

  // Returns whether it asked all that there is to ask about the ways of both kernels.
  bool ask(const Input& input) {
    left_of_input_ = std::min(left_, kStepsOfInput);
    all_ = true;
    const std::optional<Input> ours = pairing_.to_first(input);
    if (!ours)
      return false;
    const TraceOptions options{.events = 4'096, .nodes = 1 << 18, .outputs = true};
    const Traced second =
        trace_second_.trace(launch_of(input.shape), arguments_of(second_, input), options);
    if (is_fatal(second))
      return false;
    const Traced first =
        trace_first_.trace(launch_of(ours->shape), arguments_of(first_, *ours), options);
    if (is_fatal(first))
      return false;
    all_ = first.complete && second.complete;
    for (const Later later : {Later::First, Later::Second}) {
      std::optional<Joint> joint = joined(pairing_, first, second, later);
      if (!joint)
        return false;
      if (later == Later::First)
        ask_outputs(*joint, input);
      ask_decisions(*joint, input);
    }
    return all_;
  }

private:
  bool is_fatal(const Traced& traced) const {
    if (traced.late)
      send_word(socket_, Word::Late, "");
    return traced.result.fatal;
  }

  void ask_outputs(const Joint& joint, const Input& input) {
    Traced traced = joint.traced;
    auto sites = std::make_shared<std::vector<TracedSite>>(*traced.sites);
    sites->push_back({}); // a branch on whether the outputs differ
    traced.sites = sites;
    std::size_t asked = 0;
    for (const JointOutput& output : joint.outputs) {
      if (asked++ == kOutputsOfInput) {
        all_ = false;
        return;
      }
      traced.events.push_back({.site = static_cast<std::uint32_t>(sites->size() - 1),
                               .label = output.differs,
                               .value = 0});
      solve(traced,
            {.event = traced.events.size() - 1, .way = 1, .prefix = Wanted::Prefix::Everything},
            input);
      traced.events.pop_back();
    }
  }

  void ask_decisions(const Joint& joint, const Input& input) {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> times;
    std::size_t asked = 0;
    const std::vector<Event>& events = joint.traced.events;
    for (std::size_t i = joint.own; i < events.size(); ++i) {
      if ((*joint.traced.sites)[events[i].site].kind == TracedSite::Kind::Address) {
        // Answers keep the address, and what was read there, and nothing is asked about others.
        if (joint.traced.table[events[i].label].op != Op::Constant)
          all_ = false;
        continue;
      }
      if (asked == kDecisionsOfInput || times[{events[i].site, events[i].value}]++ >= kSamePlace) {
        all_ = false;
        continue;
      }
      ++asked;
      solve(joint.traced,
            {.event = i,
             .prefix =
                 pairing_.same_launch() ? Wanted::Prefix::WorkItem : Wanted::Prefix::Everything},
            input);
    }
  }

  void solve(const Traced& traced, const Wanted& wanted, const Input& input) {
    if (left_of_input_ <= 0) {
      all_ = false;
      return;
    }
    const Conditions asked = conditions_of(traced, wanted);
    const std::set<std::uint64_t> conditions = numbers_of(traced, asked);
    if (answered_.contains(conditions) ||
        std::ranges::any_of(excluded_, [&](const std::set<std::uint64_t>& fewer) {
          return std::ranges::includes(conditions, fewer);
        }))
      return;
    send_word(socket_, Word::Started, "");
    SolverLimits limits = kJointLimits;
    limits.z3_seconds = std::min(limits.z3_seconds, left_of_input_ / kStepsOfSecond);
    limits.z3_circuits = static_cast<std::size_t>(left_of_input_ / kStepsOfCircuit);
    const double before = solver_.z3().steps();
    const Answer answer = solver_.solve(traced, wanted, limits);
    const double steps = solver_.z3().steps() - before +
                         kStepsOfCircuit * static_cast<double>(answer.z3_circuits) +
                         kStepsOfEvaluation * static_cast<double>(answer.evaluations) *
                             static_cast<double>(asked.table.end());
    left_ -= steps;
    left_of_input_ -= steps;
    if (answer.kind == Answer::Kind::Infeasible) {
      excluded_.push_back(conditions);
      send_word(socket_, Word::Proof, "");
    }
    if (answer.kind != Answer::Kind::Found)
      return;
    answered_.insert(conditions);
    const std::optional<Input> found =
        with_answer(input, traced.launch, traced.arguments_with(answer.values), second_);
    if (!found)
      return;
    runtime::Bytes bytes(encoded_size(*found));
    Writer writer(bytes.data(), bytes.size());
    put(writer, *found);
    send_word(socket_, Word::Input, bytes.data(), bytes.size());
  }

  const Target &first_, &second_;
  const Pairing& pairing_;
  int socket_;
  Tracer trace_first_, trace_second_;
  Solver solver_;
  // The conditions of questions that had an answer, and of those to which there is none: inputs
  // that take the same paths lead to the same questions.
  std::set<std::set<std::uint64_t>> answered_;
  std::vector<std::set<std::uint64_t>> excluded_;
  double left_ = kStepsOfAll, left_of_input_ = 0;
  bool all_ = true; // of the questions about an input were asked
};

// Until the other end closes the socket.
void answer_joint_questions(const Target& first, const Target& second, const Pairing& pairing,
                            int socket) {
  std::optional<Questions> questions;
  Words words;
  std::array<std::byte, 65536> part;
  while (true) {
    while (const auto asked = words.take()) {
      Reader reader(asked->bytes.data(), asked->bytes.size());
      bool all = true;
      try {
        if (!questions)
          questions.emplace(first, second, pairing, socket);
        for (auto left = reader.take<std::uint64_t>(); left-- > 0;)
          all &= questions->ask(take_input(reader, second.arguments.size()));
      } catch (const std::exception& error) {
        all = false;
        send_word(socket, Word::Open, std::string(error.what()));
      }
      if (!send_word(socket, Word::Done, all ? "" : "-"))
        return;
    }
    const ssize_t size = ::recv(socket, part.data(), part.size(), 0);
    if (size <= 0)
      return;
    words.add(part.data(), static_cast<std::size_t>(size));
  }
}

// Returns whether it was the last word.
bool take_answer(const Words::One& one, const Target& second, JointAnswers& answers,
                 const std::function<void(const Input&)>& found) {
  Reader reader(one.bytes.data(), one.bytes.size());
  switch (one.word) {
  case Word::Started:
    ++answers.asked;
    return false;
  case Word::Proof:
    ++answers.excluded;
    return false;
  case Word::Input:
    ++answers.found;
    found(take_input(reader, second.arguments.size()));
    return false;
  case Word::Late:
    answers.late = true;
    return false;
  case Word::Open:
    answers.failed.assign(reinterpret_cast<const char*>(one.bytes.data()), one.bytes.size());
    return false;
  default:
    answers.all = one.bytes.empty();
    return true;
  }
}

} // namespace

void JointAnswers::add_notes(std::vector<std::string>& notes) const {
  const auto add = [&](std::string note) {
    if (std::ranges::find(notes, note) == notes.end())
      notes.push_back(std::move(note));
  };
  if (!failed.empty())
    add("the solver was not asked about both kernels: " + failed);
  if (late)
    add(std::string("with some inputs, the solver was not asked about both kernels: ") + kLate);
}

void JointSolver::start() {
  process::Ends ends = process::stream_sockets();
  process_ = process::Child::fork([&] {
    ends.ours.close();
    answer_joint_questions(first_, second_, pairing_, ends.theirs.number());
  });
  socket_ = std::move(ends.ours);
}

process::Ended JointSolver::stop() {
  socket_.close();
  return process_.end();
}

JointAnswers JointSolver::ask(std::span<const Input> inputs, Deadline until,
                              const std::function<void(const Input&)>& found) {
  if (!process_.runs())
    start();
  std::size_t size = sizeof(std::uint64_t);
  for (const Input& input : inputs)
    size += encoded_size(input);
  runtime::Bytes question(size);
  Writer writer(question.data(), question.size());
  writer.put(static_cast<std::uint64_t>(inputs.size()));
  for (const Input& input : inputs)
    put(writer, input);
  send_word(socket_.number(), Word::Solve, question.data(), question.size());
  JointAnswers answers;
  Words words;
  std::array<std::byte, 65536> part;
  try {
    while (!until.over()) {
      pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
      if (::poll(&waiting, 1, 100) <= 0)
        continue;
      const ssize_t received = ::recv(socket_.number(), part.data(), part.size(), 0);
      if (received <= 0) {
        answers.failed = "the process that asks it has ended";
        break;
      }
      words.add(part.data(), static_cast<std::size_t>(received));
      while (const auto word = words.take())
        if (take_answer(*word, second_, answers, found))
          return answers;
    }
  } catch (...) { // what comes is of no use to the next question
    stop();
    throw;
  }
  stop();
  return answers;
}

} // namespace gputest::testgen
