// Conditions over sizes of the launch, at random, against all launches that there are.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include "testgen/inputs/random.h"
#include "testgen/launcher.h"
#include "testgen/solve/z3_process.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <map>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

// Sizes are size_t: 64 bits, and differences wrap around.
struct Sizes {
  std::uint64_t global, local, groups;
};

struct Number {
  std::string text;
  std::function<std::uint64_t(const Sizes&)> value;
};

struct Comparison {
  std::string text;
  std::function<bool(const Sizes&)> holds;
};

// A size, or one more step: "get_global_size(0) % 7".
Number size(Random& random) {
  Number size;
  switch (random.below(3)) {
  case 0:
    size = {"get_global_size(0)", [](const Sizes& sizes) { return sizes.global; }};
    break;
  case 1:
    size = {"get_local_size(0)", [](const Sizes& sizes) { return sizes.local; }};
    break;
  default:
    size = {"get_num_groups(0)", [](const Sizes& sizes) { return sizes.groups; }};
  }
  const auto value = size.value;
  const auto constant = static_cast<std::uint64_t>(random.between(2, 40));
  switch (random.below(8)) {
  case 0:
    return {fmt::format("{} % {}", size.text, constant),
            [=](const Sizes& sizes) { return value(sizes) % constant; }};
  case 1:
    return {fmt::format("{} / {}", size.text, constant),
            [=](const Sizes& sizes) { return value(sizes) / constant; }};
  case 2:
    return {fmt::format("({} & {})", size.text, constant),
            [=](const Sizes& sizes) { return value(sizes) & constant; }};
  case 3:
    return {fmt::format("{} * get_num_groups(0)", size.text),
            [=](const Sizes& sizes) { return value(sizes) * sizes.groups; }};
  case 4:
    return {fmt::format("{} - get_local_size(0)", size.text),
            [=](const Sizes& sizes) { return value(sizes) - sizes.local; }};
  default:
    return size;
  }
}

Comparison comparison(Random& random) {
  const Number a = size(random);
  Number b = random.once_in(4) ? size(random) : Number{};
  if (b.text.empty()) {
    const auto constant =
        static_cast<std::uint64_t>(random.between(0, random.once_in(2) ? 9 : 300));
    b = {std::to_string(constant), [=](const Sizes&) { return constant; }};
  }
  struct Relation {
    const char* text;
    bool (*holds)(std::uint64_t, std::uint64_t);
  };
  constexpr std::array<Relation, 6> kRelations{
      {{"==", [](std::uint64_t x, std::uint64_t y) { return x == y; }},
       {"==", [](std::uint64_t x, std::uint64_t y) { return x == y; }},
       {"!=", [](std::uint64_t x, std::uint64_t y) { return x != y; }},
       {"<", [](std::uint64_t x, std::uint64_t y) { return x < y; }},
       {">", [](std::uint64_t x, std::uint64_t y) { return x > y; }},
       {">=", [](std::uint64_t x, std::uint64_t y) { return x >= y; }}}};
  const Relation relation = kRelations[random.below(kRelations.size())];
  return {fmt::format("{} {} {}", a.text, relation.text, b.text),
          [=](const Sizes& sizes) { return relation.holds(a.value(sizes), b.value(sizes)); }};
}

// `if (first && second)` or `||`, on a line of its own.
struct Decision {
  Comparison first, second;
  bool both;
};

// The outcomes of decision `number` that some launch has, as text_of() says them.
std::set<std::string> possible(const Decision& decision, unsigned line) {
  std::set<std::string> found;
  const auto first_column = static_cast<unsigned>(std::string("  if (").size() + 1);
  const auto second_column =
      first_column + static_cast<unsigned>(decision.first.text.size() + std::string(" && ").size());
  const auto say = [&](unsigned column, const char* what, bool value) {
    found.insert(fmt::format("{}:{} {} {}", line, column, what, value));
  };
  for (std::uint64_t local = 1; local <= kMostItemsOfGroup; ++local)
    for (std::uint64_t groups = 1; local * groups <= kMostItems; ++groups) {
      const Sizes sizes{local * groups, local, groups};
      const bool first = decision.first.holds(sizes);
      say(first_column, "condition", first);
      bool whole = first;
      if (first == decision.both) {
        whole = decision.second.holds(sizes);
        say(second_column, "condition", whole);
      }
      say(first_column, "if", whole);
    }
  return found;
}

constexpr unsigned kDecisions = 2; // of a kernel

} // namespace

TEST_CASE("What some launch reaches is reached, and nothing of it is called impossible",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  std::size_t left = 0, all = 0;
  std::string open_text;
  for (std::size_t seed = 0; seed < gputest::tests::random_count(1); ++seed) {
    Random random(seed + 1);
    std::vector<Decision> decisions;
    std::string text = "kernel void k(global int* out) {\n";
    for (unsigned i = 0; i < kDecisions; ++i) {
      decisions.push_back({comparison(random), comparison(random), random.once_in(2)});
      text += fmt::format("  if ({} {} {}) out[get_global_id(0)] += {};\n", decisions[i].first.text,
                          decisions[i].both ? "&&" : "||", decisions[i].second.text, 1 << i);
    }
    text += "}\n";
    const Folder folder;
    gputest::frontend::SourceOptions options;
    options.file = (folder.path / "k.cl").string();
    std::ofstream(options.file) << text;
    const Target kernel = targets_of(options, "").front();
    const Generated generated = generate(kernel, settings(folder), {});
    INFO("seed " << seed << '\n' << text);
    std::set<std::string> reachable;
    for (unsigned i = 0; i < kDecisions; ++i)
      reachable.merge(possible(decisions[i], i + 2));
    for (const OpenGoal& proved : generated.impossible) {
      INFO(text_of(proved.goal, kernel.sites) << ": " << proved.why);
      CHECK(!reachable.contains(text_of(proved.goal, kernel.sites)));
    }
    for (const OpenGoal& open : not_reached(generated))
      if (reachable.contains(text_of(open.goal, kernel.sites))) {
        ++left;
        open_text += fmt::format("seed {}: {}: {}\n{}", seed, text_of(open.goal, kernel.sites),
                                 open.why, text);
      }
    all += reachable.size();
    for (const Goal& goal : generated.goals) // the test knows the outcomes by their names
      CHECK((reachable.contains(text_of(goal, kernel.sites)) ||
             std::ranges::any_of(generated.impossible,
                                 [&](const OpenGoal& one) { return one.goal.bit == goal.bit; }) ||
             std::ranges::any_of(not_reached(generated),
                                 [&](const OpenGoal& one) { return one.goal.bit == goal.bit; })));
  }
  INFO(left << " of " << all << " outcomes are left open that a launch reaches:\n" << open_text);
  CHECK(left == 0);
}
