#include "testgen/directed.h"

#include "testgen/concolic/trace.h"
#include "testgen/required.h"
#include "testgen/solve/prove.h"
#include "testgen/solve/solve.h"
#include "testgen/wire.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

using runtime::Bytes;

constexpr std::size_t kMostInputs = 6;   // that are traced for a goal
constexpr std::size_t kMostEvents = 8;   // of each that are turned around
constexpr std::size_t kSameDecision = 2; // work-items of which one decision is turned around

constexpr double kInvariantSeconds = 2;                        // to find what holds in loops
constexpr SolverLimits kLimits{.seconds = 2, .z3_seconds = 3}; // of each decision

enum class Message : char { Input = 'i', Impossible = 'p', Open = 'o' };

Launch launch_of(const Shape& shape) {
  Launch launch{.dimensions = shape.dimensions, .limit = 1};
  for (unsigned i = 0; i < 3; ++i) {
    launch.global_size[i] = shape.global[i];
    launch.local_size[i] = shape.local[i];
  }
  return launch;
}

std::vector<Argument> arguments_of(const Target& target, const Input& input) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& described = target.arguments[i];
    const Content& content = input.arguments[i];
    Argument& argument = arguments.emplace_back();
    argument.kind = described.kind;
    argument.bytes = content.bytes;
    argument.local_bytes = content.local_size;
    if (described.kind == simulator::Parameter::Kind::Sampler)
      argument.sampler = sampler_bits(content.sampler);
    if (described.kind == simulator::Parameter::Kind::Image)
      argument.image = image_of(described, content);
  }
  return arguments;
}

Input with_answer(Input input, const std::vector<Argument>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].bytes.size() == input.arguments[i].bytes.size())
      input.arguments[i].bytes = arguments[i].bytes;
  return input;
}

bool inside(const simulator::Site& place, const model::Site& site) {
  if (place.line < site.line || place.line > site.end_line)
    return false;
  return (place.line > site.line || place.column >= site.column) &&
         (place.line < site.end_line || place.column < site.end_column);
}

using IsThere = std::function<bool(const TracedSite&)>;

// Decisions at a place that, turned around, may lead to the goal.
std::vector<std::size_t> decisions_at(const Traced& traced, const IsThere& is_there) {
  std::vector<std::size_t> found;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> times;
  for (std::size_t i = 0; i < traced.events.size() && found.size() < kMostEvents; ++i) {
    const Event& event = traced.events[i];
    const TracedSite& at = (*traced.sites)[event.site];
    if (at.kind == TracedSite::Kind::Address || !is_there(at))
      continue;
    if (times[{event.site, event.value}]++ < kSameDecision)
      found.push_back(i);
  }
  return found;
}

class Messages {
public:
  explicit Messages(int descriptor) : descriptor_(descriptor) {}

  void send(Message kind, const void* from, std::size_t size) const {
    Bytes bytes(1 + sizeof(std::uint64_t) + size);
    Writer writer(bytes.data(), bytes.size());
    writer.put(kind);
    writer.put_sized(from, size);
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t written = ::write(descriptor_, bytes.data() + at, bytes.size() - at);
      if (written <= 0)
        ::_exit(0);
      at += static_cast<std::size_t>(written);
    }
  }
  void send(Message kind, const std::string& text) const { send(kind, text.data(), text.size()); }

private:
  int descriptor_;
};

} // namespace

struct Director::Parts {
  const Target& target;
  const Constraints& constraints;          // of inputs that proofs are about
  std::optional<Tracer> tracer, comparing; // of the original; of differences.cl
  std::optional<Prover> prover;
  std::set<unsigned> not_proved; // bits

  Parts(const Target& of, const Constraints& obeyed) : target(of), constraints(obeyed) {}

  // Compiled when it is needed.
  Tracer& tracer_for(const Goal& goal) {
    std::optional<Tracer>& wanted = goal.mutant ? comparing : tracer;
    if (!wanted) {
      simulator::Source source = target.original;
      if (goal.mutant)
        source.text = target.mutants->differences.text;
      wanted.emplace(source, target.kernel());
    }
    return *wanted;
  }

  void prepare_proofs() {
    if (prover)
      return;
    prover.emplace(target.instrumented, target.kernel());
    require(*prover, target, constraints);
    Z3Process z3;
    prover->find_invariants(z3, {.invariant_seconds = kInvariantSeconds});
  }

  IsThere place_of(const Goal& goal) const {
    if (!goal.mutant)
      return [&site = target.sites.sites[goal.site]](const TracedSite& at) {
        return !at.library && inside(at.place, site);
      };
    const unsigned line = target.mutants->differences.bits.at(goal.mutant->number).bit + 1;
    return [line](const TracedSite& at) {
      return at.kind == TracedSite::Kind::Branch && at.place.line == line &&
             at.place.file.ends_with(passes::mutation::kDifferencesFile);
    };
  }

  // In a process of its own.
  void work(const Goal& goal, const std::vector<Input>& inputs, const Messages& messages) {
    Tracer& tracing = tracer_for(goal);
    std::string open;
    Z3Process z3;
    Proof proof;
    if (!goal.mutant && !not_proved.contains(goal.bit)) // what is impossible need not be looked for
      proof = prover->outcome(goal.bit, z3);
    if (proof.kind == Proof::Kind::Impossible) {
      messages.send(Message::Impossible, proof.reason);
      return;
    }
    Solver solver;
    for (const Input& input : inputs) {
      const Traced traced = tracing.trace(launch_of(input.shape), arguments_of(target, input));
      if (traced.result.fatal)
        continue;
      for (const std::size_t event : decisions_at(traced, place_of(goal))) {
        const TracedSite& at = (*traced.sites)[traced.events[event].site];
        const std::size_t ways = at.kind == TracedSite::Kind::Switch ? at.cases.size() + 1 : 1;
        for (std::size_t way = 0; way < ways; ++way) {
          Wanted wanted{.event = event};
          if (ways > 1)
            wanted.way = way;
          const Answer answer = solver.reach(tracing, traced, wanted, kLimits).answer;
          if (answer.kind == Answer::Kind::Found) {
            const Input found = with_answer(input, answer.arguments);
            Bytes bytes(encoded_size(found));
            Writer writer(bytes.data(), bytes.size());
            put(writer, found);
            messages.send(Message::Input, bytes.data(), bytes.size());
          } else if (!answer.condition.empty()) {
            open = answer.condition + (answer.reason.empty() ? "" : ": " + answer.reason);
          }
        }
      }
    }
    messages.send(Message::Open, open);
  }
};

Director::Director(const Target& target, const Constraints& constraints)
    : parts_(std::make_unique<Parts>(target, constraints)) {}
Director::Director(Director&&) noexcept = default;
Director::~Director() = default;

DirectedAnswer Director::ask(const Goal& goal, Fuzzer& fuzzer, double seconds) {
  // Those that decide there come first, and the latest of them.
  std::vector<Input> inputs;
  const auto decides_there = [&](const Outcome& outcome) {
    return !goal.mutant &&
           std::ranges::any_of(parts_->target.sites.sites[goal.site].outcomes,
                               [&](const model::Outcome& one) { return outcome.has(one.bit); });
  };
  for (const bool decides : {true, false})
    for (std::size_t i = fuzzer.valid().size(); i-- > 0 && inputs.size() < kMostInputs;)
      if (decides_there(fuzzer.outcomes()[i]) == decides)
        inputs.push_back(fuzzer.valid()[i]);

  DirectedAnswer answer;
  if (goal.mutant && !parts_->target.mutants->differences.bits.contains(goal.mutant->number))
    return answer;
  parts_->tracer_for(goal); // here, so that it is there for the next goal, too
  if (!goal.mutant)
    parts_->prepare_proofs();
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0)
    return answer;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0); // with the processes that it starts
    ::close(ends[0]);
    if (::getppid() == parent)
      try {
        parts_->work(goal, inputs, Messages(ends[1]));
      } catch (const std::exception& error) {
        Messages(ends[1]).send(Message::Open, std::string(error.what()));
      }
    ::_exit(0);
  }
  ::close(ends[1]);
  const auto begin = std::chrono::steady_clock::now();
  Bytes received;
  std::array<std::byte, 65536> part;
  while (child > 0 && !answer.reached) {
    const double left =
        seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    pollfd waiting{.fd = ends[0], .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left * 1000) + 1) != 1)
      break;
    const ssize_t size = ::read(ends[0], part.data(), part.size());
    if (size <= 0)
      break;
    received.insert(received.end(), part.begin(), part.begin() + size);
    while (received.size() >= 9) {
      Reader reader(received.data());
      const auto kind = reader.take<Message>();
      Reader sizes = reader;
      const std::size_t whole = 9 + sizes.take<std::uint64_t>();
      if (received.size() < whole)
        break;
      if (kind == Message::Input) {
        const auto bytes = reader.take_sized<Bytes>();
        Reader of_input(bytes.data());
        fuzzer.offer(take_input(of_input, parts_->target.arguments.size()));
        answer.reached = fuzzer.reached(goal);
      } else {
        (kind == Message::Open ? answer.open : answer.impossible) =
            reader.take_sized<std::string>();
      }
      received.erase(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(whole));
    }
  }
  ::close(ends[0]);
  parts_->not_proved.insert(goal.bit);
  if (child > 0) {
    ::kill(-child, SIGKILL);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  return answer;
}

} // namespace gputest::testgen
