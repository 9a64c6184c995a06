// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/offers.h"

#include "model/text/words.h"
#include "testgen/input_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <set>

namespace gputest::testgen {
namespace {

using ir::Parameter;

constexpr std::size_t kTrialInputs = 40;  // with each set of requirements
constexpr std::size_t kEndlessEnough = 4; // launches that do not end are faults enough
constexpr std::size_t kMostOffers = 8;

bool is_whole_buffer(const KernelArgument& argument) {
  return argument.kind == Parameter::Kind::Buffer && argument.leaves.size() == 1 &&
         !model::is_floating(argument.leaves.front().scalar);
}

// The text between the brackets behind each `name[`, without blanks.
std::set<std::string> indices_of(const std::string& text, const std::string& name) {
  std::set<std::string> all;
  const std::regex beginning("\\b" + name + "\\s*\\[");
  for (std::sregex_iterator at(text.begin(), text.end(), beginning), end; at != end; ++at) {
    const auto from = static_cast<std::size_t>(at->position() + at->length());
    std::string index;
    int depth = 1;
    for (std::size_t i = from; i < text.size() && depth > 0; ++i) {
      depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
      if (depth > 0 && !std::isspace(static_cast<unsigned char>(text[i])))
        index += text[i];
    }
    all.insert(index);
  }
  return all;
}

class Candidates {
public:
  explicit Candidates(const Target& target) : target_(target), text_(kernel_text()) {}

  std::vector<std::string> all() {
    for (const KernelArgument& argument : target_.arguments)
      if (is_whole_buffer(argument))
        add(argument);
    if (all_.size() > kMostOffers)
      all_.resize(kMostOffers);
    return std::move(all_);
  }

private:
  // From the kernel's name on: what other kernels do with arguments of the same names says nothing.
  std::string kernel_text() const {
    const std::string& text = target_.original.text;
    const std::string name = target_.kernel().substr(0, target_.kernel().find('<'));
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("\\b" + name + "\\s*\\(")))
      return text;
    const std::size_t begin = text.find('{', static_cast<std::size_t>(found.position()));
    int depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
      if (depth == 0)
        return text.substr(begin, i - begin);
    }
    return text;
  }

  void add(const KernelArgument& argument) {
    const std::set<std::string> indices = indices_of(text_, argument.name);
    const bool has_sign = model::is_signed(argument.leaves.front().scalar);
    if (std::ranges::any_of(indices, [&](const std::string& index) {
          return indices.contains(index + "+1") || indices.contains("1+" + index);
        })) {
      all_.push_back(fmt::format("ascending({})", argument.name));
      if (has_sign)
        all_.push_back(fmt::format("{}[0] >= 0", argument.name));
      for (const std::string& other : indexed_by(carriers(argument.name)))
        all_.push_back(fmt::format("{0}[size({0}) - 1] <= size({1})", argument.name, other));
      return;
    }
    std::set<std::string> words = assigned_from(argument.name);
    words.insert(argument.name);
    for (const KernelArgument& other : target_.arguments) {
      if (other.kind != Parameter::Kind::Buffer || other.name == argument.name ||
          !is_indexed(other.name, words))
        continue;
      all_.push_back(
          has_sign ? fmt::format("all(x in {}: x >= 0 && x < size({}))", argument.name, other.name)
                   : fmt::format("all(x in {}: x < size({}))", argument.name, other.name));
      if (other.output)
        all_.push_back(fmt::format("distinct({})", argument.name));
    }
  }

  // A name that no argument has.
  std::string element_name() const {
    std::string name = "x";
    while (std::ranges::find(target_.arguments, name, &KernelArgument::name) !=
           target_.arguments.end())
      name += 'x';
    return name;
  }

  // Variables that are given an element: `int c = col[k];`, `c = col[k]`.
  std::set<std::string> assigned_from(const std::string& name) const {
    std::set<std::string> names;
    const std::regex assignment("(\\w+)\\s*=\\s*" + name + "\\s*\\[");
    for (std::sregex_iterator at(text_.begin(), text_.end(), assignment), end; at != end; ++at)
      names.insert((*at)[1]);
    return names;
  }

  // The same, and what begins as one of these: `for (int k = begin; …)`.
  std::set<std::string> carriers(const std::string& name) const {
    std::set<std::string> names = assigned_from(name);
    for (const std::string& one : std::set<std::string>(names)) {
      const std::regex copy("(\\w+)\\s*=\\s*" + one + "\\s*[;,+]");
      for (std::sregex_iterator at(text_.begin(), text_.end(), copy), end; at != end; ++at)
        names.insert((*at)[1]);
    }
    return names;
  }

  bool is_indexed(const std::string& buffer, const std::set<std::string>& words) const {
    return std::ranges::any_of(indices_of(text_, buffer), [&](const std::string& index) {
      return std::ranges::any_of(
          words, [&](const std::string& word) { return model::has_word(index, word); });
    });
  }

  std::vector<std::string> indexed_by(const std::set<std::string>& words) const {
    std::vector<std::string> names;
    for (const KernelArgument& other : target_.arguments)
      if (other.kind == Parameter::Kind::Buffer && !words.contains(other.name) &&
          is_indexed(other.name, words))
        names.push_back(other.name);
    return names;
  }

  const Target& target_;
  std::string text_;
  std::vector<std::string> all_;
};

class Trials {
public:
  Trials(const Target& target, const InputSettings& settings, Worker& worker, Deadline until)
      : target_(target), settings_(settings), worker_(worker), until_(until) {}

  struct Tried {
    std::size_t inputs = 0, faults = 0;
  };

  // Launches inputs that obey the requirements.
  Tried with(const std::vector<std::string>& requirements) {
    InputSettings all = settings_;
    all.requirements.insert(all.requirements.end(), requirements.begin(), requirements.end());
    const Constraints constraints = constraints_of(target_, all);
    Mutator mutator(target_, constraints, settings_.seed);
    InputSearch search(target_, constraints, {}, nullptr, mutator, worker_, {});
    Tried tried;
    std::size_t endless = 0;
    const std::size_t shapes = std::min<std::size_t>(mutator.shapes().size(), 6);
    for (std::size_t i = 0; i < 4 * kTrialInputs && tried.inputs < kTrialInputs; ++i) {
      if (until_.over() || endless == kEndlessEnough)
        break;
      const Shape& shape = mutator.shapes()[i % shapes];
      Input input = i % 2 == 0 ? mutator.plain(shape) : mutator.fresh(shape, true);
      if (!constraints.hold(target_, input))
        continue;
      Outcome outcome = worker_.try_run(input);
      if (const auto larger = search.grown(input, outcome)) {
        input = *larger;
        if (!constraints.hold(target_, input))
          continue;
      }
      ++tried.inputs;
      endless += outcome.fault == Fault::Endless;
      tried.faults += !outcome.clean() || !worker_.check(input).valid();
    }
    return tried;
  }

private:
  const Target& target_;
  const InputSettings& settings_;
  Worker& worker_;
  Deadline until_;
};

} // namespace

std::vector<std::string> offered_requirements(const Target& target, const InputSettings& settings,
                                              Worker& worker, Deadline until) {
  std::vector<std::string> offers = Candidates(target).all();
  if (offers.empty())
    return {};
  Trials trials(target, settings, worker, until);
  const auto clean = [](const Trials::Tried& tried) {
    return tried.inputs >= kTrialInputs / 4 && tried.faults == 0;
  };
  if (trials.with({}).faults == 0 || !clean(trials.with(offers)))
    return {};
  // The last first: `distinct` rather than the range without which an index is nowhere.
  for (std::size_t i = offers.size(); i-- > 0;) {
    std::vector<std::string> fewer = offers;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (clean(trials.with(fewer)))
      offers = std::move(fewer);
  }
  return until.over() ? std::vector<std::string>() : offers;
}

std::vector<std::string> offers_for_users(const Target& target, const InputSettings& settings,
                                          Worker& worker, Deadline until) {
  std::vector<std::string> lines = offered_requirements(target, settings, worker, until);
  for (std::string& line : lines)
    line = fmt::format("note: inputs that break it led to faults; if they are no valid inputs, say "
                       "so: REQUIRE \"{}\"",
                       line);
  return lines;
}

} // namespace gputest::testgen
