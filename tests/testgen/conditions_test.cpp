// What is printed of findings and sizes says the truth about launches that generation has not seen.
#include "tests/catch.h"
#include "tests/random_count.h"

#include "model/files.h"
#include "testgen/inputs/condition.h"
#include "tests/testgen/kernel_files.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <utility>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

Target compiled(const Folder& folder, const std::string& text) {
  gputest::model::write_atomically(folder.path / "k.cl", text);
  gputest::frontend::SourceOptions options;
  options.file = (folder.path / "k.cl").string();
  options.source_root = folder.path.string();
  return targets_of(options, "").front();
}

// A kernel that goes out of bounds in two lines, depending on scalars, constants and sizes.
std::string random_kernel(std::mt19937& random) {
  const auto one_of = [&](const std::vector<std::string>& texts) {
    return texts[random() % texts.size()];
  };
  const std::string tile = one_of({"8", "5", "16"});
  const std::string guard =
      one_of({"g < n", "g < n && m > 3", "l < n", "g + m < n", "m != n", "get_group_id(0) < n"});
  return fmt::format("kernel void k(global const int* in, global int* out, int n, int m) {{\n"
                     "  local int part[{0}];\n"
                     "  const int g = get_global_id(0), l = get_local_id(0);\n"
                     "  if ({1})\n"
                     "    part[{2}] = in[g];\n"
                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "  if (g < n && l < {0} && l == 0 && g == 0)\n"
                     "    out[g] = 2;\n"
                     "  if ({3})\n"
                     "    part[{4}] = 1;\n"
                     "}}\n",
                     tile, guard, one_of({"l", "l", "l / 2", "get_group_id(0)"}),
                     one_of({"l == 0 && m > 20", "g == 0 && n > m", "l == 0 && n == 7", "g == n"}),
                     one_of({"m", tile, "l + " + tile}));
}

struct Value {
  std::int64_t n, m;
  std::uint32_t global, local;
};

// Launches of which few are those that generation prefers.
std::vector<Value> launches() {
  std::vector<Value> all;
  for (const std::int64_t n : {0, 1, 3, 6, 7, 8, 9, 17, 40})
    for (const std::int64_t m : {0, 2, 4, 5, 8, 16, 20, 21, 30})
      for (const auto& [global, local] : {std::pair{1, 1},
                                          {4, 4},
                                          {6, 3},
                                          {8, 8},
                                          {9, 9},
                                          {10, 5},
                                          {12, 6},
                                          {16, 16},
                                          {17, 17},
                                          {36, 18},
                                          {24, 12},
                                          {64, 4}})
        all.push_back(
            {n, m, static_cast<std::uint32_t>(global), static_cast<std::uint32_t>(local)});
  return all;
}

Input input_of(const Value& value) {
  Input input{
      .shape = {.dimensions = 1, .global = {value.global, 1, 1}, .local = {value.local, 1, 1}}};
  input.arguments.resize(4);
  for (const std::size_t buffer : {0, 1}) // as large as any access
    input.arguments[buffer].bytes.resize(4 * std::size_t{value.global});
  for (const auto& [at, number] : {std::pair{2, value.n}, {3, value.m}}) {
    const auto narrow = static_cast<std::int32_t>(number);
    input.arguments[static_cast<std::size_t>(at)].bytes.resize(4);
    std::memcpy(input.arguments[static_cast<std::size_t>(at)].bytes.data(), &narrow, 4);
  }
  return input;
}

// The condition that is told of a finding, evaluated as REQUIRE is.
struct Told {
  Told(const Target& kernel, const Guard& of) : guard(of) {
    constraints.add_requirement(kernel, guard.condition);
  }

  // Counts the launch if it has the finding where the condition does not hold, or the other way
  // round.
  void compare(const Target& kernel, const Input& input, const Checked& checked,
               const Value& value) {
    const bool has = std::ranges::any_of(checked.findings, [&](const auto& finding) {
      return finding.kind == guard.finding.kind && finding.site.line == guard.finding.site.line;
    });
    if (has != constraints.hold(kernel, input) && ++wrong == 1)
      where = fmt::format("n={}, m={}, global {}, local {}", value.n, value.m, value.global,
                          value.local);
  }

  const Guard& guard;
  Constraints constraints;
  std::size_t wrong = 0;
  std::string where; // the first of them
};

} // namespace

TEST_CASE("Conditions of findings hold for exactly the launches that have them") {
  std::mt19937 random(3);
  std::size_t told = 0;
  const std::size_t count = gputest::tests::random_count(3);
  for (std::size_t i = 0; i < count; ++i) {
    const Folder folder, cases;
    const std::string text = random_kernel(random);
    INFO(text);
    const Target kernel = compiled(folder, text);
    Settings given = settings(cases);
    given.seconds = 20;
    const Generated generated = generate(kernel, given, {});
    CompiledKernel all(kernel);
    const Kernels kernels = all.kernels();
    Worker worker(kernel, kernels, {.steps = 1'000'000'000'000, .seconds = 1});
    std::vector<Told> conditions;
    for (const Guard& guard : generated.guards)
      if (!guard.condition.empty())
        conditions.emplace_back(kernel, guard);
    told += conditions.size();
    for (const Value& value : launches()) {
      if (conditions.empty())
        break;
      const Input input = input_of(value);
      const Checked checked = worker.check(input);
      for (Told& condition : conditions)
        condition.compare(kernel, input, checked, value);
    }
    for (const Told& condition : conditions) {
      INFO(condition.guard.finding.site.line << ": " << condition.guard.finding.kind << ": if "
                                             << condition.guard.condition);
      INFO("wrong for " << condition.wrong << " of " << launches().size() << " launches, such as "
                        << condition.where);
      CHECK(condition.wrong == 0);
    }
  }
  CHECK(told >= count / 2); // most findings have a condition that is simple enough
}

TEST_CASE("No number is compared with a multiple of itself") {
  Target target;
  for (const char* name : {"n", "m"})
    target.arguments.push_back({.name = name,
                                .type = gputest::model::scalar_type(gputest::model::Scalar::Int),
                                .leaves = {},
                                .image = {}});
  target.dictionary.dimensions = 1;
  const Features features(target);
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    // Samples that are bad at random have many conditions, if few are there.
    std::vector<Sample> samples;
    for (int i = 0; i < 8; ++i) {
      const std::int64_t local = 1 + random() % 6, groups = 1 + random() % 4;
      samples.push_back({{static_cast<std::int64_t>(random() % 20),
                          static_cast<std::int64_t>(random() % 20), local * groups, local, groups},
                         static_cast<std::int64_t>(random() % 2)});
    }
    const auto found = separating_condition(features, samples);
    if (!found)
      continue;
    CHECK(separates(*found, samples));
    for (const Comparison& one : found->all) {
      INFO(found->text(features));
      CHECK(std::ranges::find(one.right, one.left) == one.right.end());
      const auto is_size = [](std::size_t feature) { return feature >= 2; };
      CHECK_FALSE((is_size(one.left) && std::ranges::any_of(one.right, is_size)));
    }
  }
}

TEST_CASE("No size is printed that a written case does not have") {
  const Folder folder;
  const Target kernel = target("rare.cl");
  const Settings given = settings(folder);
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.reached == generated.goals.size());
  CHECK_FALSE(generated.inferred.sizes[0]);
  CHECK(cmake_text(kernel, given, generated, {.name = "rare", .base = "/"}).find("size=") ==
        std::string::npos);
}
