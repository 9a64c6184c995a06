// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/joint_questions.h"

#include "process/child.h"
#include "process/descriptor.h"
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
#include <vector>

namespace gputest::testgen {
namespace {

constexpr std::size_t kDecisionsOfInput = 12, kOutputsOfInput = 6;
constexpr std::size_t kSamePlace = 2; // decisions of one place that are turned around
constexpr SolverLimits kJointLimits{.evaluations = 4'000, .seconds = 0.3, .z3_seconds = 1};

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
        trace_first_(first.original, first.kernel()),
        trace_second_(second.original, second.kernel()) {}

  void ask(const Input& input) {
    const std::optional<Input> ours = pairing_.to_first(input);
    if (!ours)
      return;
    const TraceOptions options{.events = 4'096, .nodes = 1 << 18, .outputs = true};
    const Traced second =
        trace_second_.trace(launch_of(input.shape), arguments_of(second_, input), options);
    if (second.result.fatal)
      return;
    const Traced first =
        trace_first_.trace(launch_of(ours->shape), arguments_of(first_, *ours), options);
    if (first.result.fatal)
      return;
    for (const Later later : {Later::First, Later::Second}) {
      std::optional<Joint> joint = joined(pairing_, first, second, later);
      if (!joint)
        return;
      if (later == Later::First)
        ask_outputs(*joint, input);
      ask_decisions(*joint, input);
    }
  }

  const JointAnswers& answers() const { return answers_; }

private:
  void ask_outputs(const Joint& joint, const Input& input) {
    Traced traced = joint.traced;
    auto sites = std::make_shared<std::vector<TracedSite>>(*traced.sites);
    sites->push_back({}); // a branch on whether the outputs differ
    traced.sites = sites;
    std::size_t asked = 0;
    for (const JointOutput& output : joint.outputs) {
      if (asked++ == kOutputsOfInput)
        return;
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
    for (std::size_t i = joint.own; i < events.size() && asked < kDecisionsOfInput; ++i) {
      if ((*joint.traced.sites)[events[i].site].kind == TracedSite::Kind::Address ||
          times[{events[i].site, events[i].value}]++ >= kSamePlace)
        continue;
      ++asked;
      solve(joint.traced,
            {.event = i,
             .prefix =
                 pairing_.same_launch() ? Wanted::Prefix::WorkItem : Wanted::Prefix::Everything},
            input);
    }
  }

  void solve(const Traced& traced, const Wanted& wanted, const Input& input) {
    const std::set<std::uint64_t> conditions = numbers_of(traced, conditions_of(traced, wanted));
    if (answered_.contains(conditions) ||
        std::ranges::any_of(excluded_, [&](const std::set<std::uint64_t>& fewer) {
          return std::ranges::includes(conditions, fewer);
        }))
      return;
    ++answers_.asked;
    const Answer answer = solver_.solve(traced, wanted, kJointLimits);
    if (answer.kind == Answer::Kind::Infeasible) {
      ++answers_.excluded;
      excluded_.push_back(conditions);
    } else if (answer.kind == Answer::Kind::Found) {
      answered_.insert(conditions);
    }
    if (answer.kind != Answer::Kind::Found)
      return;
    const std::optional<Input> found =
        with_answer(input, traced.launch, traced.arguments_with(answer.values), second_);
    if (!found)
      return;
    ++answers_.found;
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
  JointAnswers answers_;
};

} // namespace

JointAnswers ask_about_both(const Target& first, const Target& second, const Pairing& pairing,
                            std::span<const Input> inputs, Deadline until,
                            const std::function<void(const Input&)>& found) {
  JointAnswers answers;
  process::Ends ends = process::stream_sockets();
  process::Child child = process::Child::fork([&] {
    ends.ours.close();
    const int socket = ends.theirs.number();
    try {
      Questions questions(first, second, pairing, socket);
      for (const Input& input : inputs)
        questions.ask(input);
      const JointAnswers& all = questions.answers();
      const std::array<std::uint64_t, 3> numbers{all.asked, all.excluded, all.found};
      send_word(socket, Word::Done, numbers.data(), sizeof numbers);
    } catch (const std::exception& error) {
      send_word(socket, Word::Open, std::string(error.what()));
    }
  });
  ends.theirs.close();
  Words words;
  std::array<std::byte, 65536> part;
  while (!until.over()) {
    pollfd waiting{.fd = ends.ours.number(), .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 100) <= 0)
      continue;
    const ssize_t size = ::recv(ends.ours.number(), part.data(), part.size(), 0);
    if (size <= 0)
      break;
    words.add(part.data(), static_cast<std::size_t>(size));
    while (const auto word = words.take()) {
      Reader reader(word->bytes.data(), word->bytes.size());
      if (word->word == Word::Input) {
        found(take_input(reader, second.arguments.size()));
      } else if (word->word == Word::Done) {
        const auto numbers = reader.take<std::array<std::uint64_t, 3>>();
        answers = {.asked = numbers[0], .excluded = numbers[1], .found = numbers[2]};
      } else {
        answers.failed =
            std::string(reinterpret_cast<const char*>(word->bytes.data()), word->bytes.size());
      }
    }
  }
  child.end();
  return answers;
}

} // namespace gputest::testgen
