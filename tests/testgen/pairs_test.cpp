// Random pairs of kernels against all of their inputs: the verdict of compare-kernels.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/random/all_inputs.h"
#include "tests/testgen/random/buffer_pairs.h"
#include "tests/testgen/random/random_changes.h"

#include "testgen/comparison/compare.h"

#include <cstring>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

Target plain_target(const std::string& text, bool cuda) {
  return target_of_text(text, false, cuda ? Dialect::Cuda : Dialect::OpenCl);
}

RandomProgram random_program(std::uint64_t seed, bool cuda) {
  return RandomProgram(seed, cuda ? Dialect::Cuda : Dialect::OpenCl);
}

// With how many of the 65,536 inputs the first kernel leaves something else, or has a finding.
std::size_t differing_inputs(const Target& first, const Target& second) {
  CompiledKernel compiled_first(first), compiled_second(second);
  Worker worker_first(first, compiled_first.kernels(),
                      {.steps = simulator::kAnySteps, .seconds = 20}),
      worker_second(second, compiled_second.kernels(),
                    {.steps = simulator::kAnySteps, .seconds = 20});
  std::size_t differing = 0;
  for (unsigned part = 0; part < kParts; ++part) {
    const Input input = all_inputs(part);
    const Checked ours = worker_first.check(input), right = worker_second.check(input);
    REQUIRE(right.valid());
    differing += !ours.valid();
    if (ours.fault != Fault::None)
      continue;
    const runtime::Bytes &a = ours.after.at(1), &b = right.after.at(1);
    for (std::size_t at = 0; at < a.size(); at += 8)
      differing += std::memcmp(a.data() + at, b.data() + at, 8) != 0;
  }
  return differing;
}

// Small inputs of a pair of buffers, in memory of the size that the second kernel needs.
std::vector<Input> small_inputs(const BufferPair& pair, Random& random) {
  std::vector<Input> all;
  for (const std::size_t groups : {1, 2, 3})
    for (const std::size_t items : {1, 2, 3, 4})
      for (std::uint32_t n = 1; n < 8; ++n) {
        Input input{
            .shape = {.dimensions = 1, .global = {groups * items, 1, 1}, .local = {items, 1, 1}}};
        input.arguments.resize(4);
        const auto numbers = [&](std::size_t count, std::uint64_t below) {
          runtime::Bytes bytes(4 * count);
          for (std::size_t i = 0; i < count; ++i) {
            const auto number = static_cast<std::uint32_t>(random.below(below));
            std::memcpy(bytes.data() + 4 * i, &number, 4);
          }
          return bytes;
        };
        const std::size_t outputs = pair.outputs() == Family::Outputs::N        ? n
                                    : pair.outputs() == Family::Outputs::Groups ? groups
                                                                                : 4;
        input.arguments[0].bytes = numbers(n, 1'000);
        input.arguments[1].bytes = numbers(outputs, 1'000);
        input.arguments[2].bytes = numbers(1, 1);
        std::memcpy(input.arguments[2].bytes.data(), &n, 4);
        input.arguments[3].bytes = numbers(1, 12);
        if (n == 7) {
          const std::uint32_t rare = 77777;
          std::memcpy(input.arguments[3].bytes.data(), &rare, 4);
        }
        all.push_back(std::move(input));
      }
  return all;
}

// Whether one of the inputs shows a difference.
bool differ(const Target& first, const Target& second, const std::vector<Input>& inputs) {
  CompiledKernel compiled_first(first), compiled_second(second);
  Worker worker_first(first, compiled_first.kernels(),
                      {.steps = simulator::kAnySteps, .seconds = 20}),
      worker_second(second, compiled_second.kernels(),
                    {.steps = simulator::kAnySteps, .seconds = 20});
  const auto with_memory = [](const Target& target, Input input) {
    if (target.arguments.size() > input.arguments.size())
      input.arguments.emplace_back().local_size = 4 * input.shape.local[0];
    return input;
  };
  for (const Input& input : inputs) {
    const Checked right = worker_second.check(with_memory(second, input)),
                  ours = worker_first.check(with_memory(first, input));
    REQUIRE(right.valid());
    if (!ours.valid() || ours.after.at(1) != right.after.at(1))
      return true;
  }
  return false;
}

} // namespace

// The first kernel has the text of the second with a few changes, of which some change nothing, and
// is in the other language every second time. Which pairs are equal is not known beforehand: all
// inputs say.
TEST_CASE("Random kernels differ if an input shows it, and are equal only if none does") {
  constexpr std::size_t kShare = 100; // a difference with one input of so many is to be found
  std::size_t equal = 0, proved = 0, different = 0, missed = 0;
  std::string missed_text;
  for (std::size_t seed = 1; seed <= gputest::tests::random_count(2); ++seed) {
    const bool cuda = seed % 2 == 0;
    const RandomProgram program = random_program(2000 + seed, false),
                        ours = random_program(2000 + seed, cuda);
    const auto first_text = [&](Reads reads) {
      return randomly_changed(ours.text(reads), seed, seed % 4 < 2 ? Change::Same : Change::Any);
    };
    const std::size_t differing =
        differing_inputs(plain_target(first_text(Reads::Buffer), cuda),
                         plain_target(program.text(Reads::Buffer), false));
    INFO("seed " << seed << '\n' << first_text(Reads::Arguments));
    INFO(differing << " inputs differ from those of\n" << program.text(Reads::Arguments));
    const Target first = plain_target(first_text(Reads::Arguments), cuda),
                 second = plain_target(program.text(Reads::Arguments), false);
    const Folder folder;
    ComparisonSettings settings;
    settings.output = folder.path;
    settings.seconds = 30;
    const KernelComparison compared = compare_kernels(first, second, settings, {});
    const std::string message = compared.difference ? compared.difference->message : "";
    CAPTURE(message);
    CHECK((!compared.difference || differing != 0));
    CHECK((!compared.proved || differing == 0));
    CHECK(!compared.out_of_time);
    equal += differing == 0;
    proved += compared.proved;
    if (kShare * differing < kParts * 4096)
      continue;
    ++different;
    if (!compared.difference)
      missed_text += fmt::format("seed {}: {} inputs\n", seed, differing), ++missed;
  }
  CAPTURE(equal, proved, different, missed, missed_text);
  CHECK(missed == 0);
  if (!gputest::tests::asked_random_count())
    return;
  CHECK(equal > 0);
  CHECK(different > 0);
}

TEST_CASE("Random kernels of buffers differ where they have a fault") {
  for (std::size_t seed = 1; seed <= gputest::tests::random_count(2); ++seed) {
    const BufferPair pair(seed);
    INFO("seed " << seed << '\n' << pair.first() << pair.second());
    const Target first = plain_target(pair.first(), pair.first_is_cuda()),
                 second = plain_target(pair.second(), pair.second_is_cuda());
    Random random(seed);
    REQUIRE(differ(first, second, small_inputs(pair, random)) != pair.equal());
    const Folder folder;
    ComparisonSettings settings;
    settings.output = folder.path;
    settings.seconds = 30;
    const KernelComparison compared = compare_kernels(first, second, settings, {});
    const std::string message = compared.difference ? compared.difference->message : "";
    CAPTURE(message, compared.inputs, compared.not_proved);
    CHECK(compared.difference.has_value() != pair.equal());
    CHECK((!compared.proved || pair.equal()));
    CHECK((compared.enough || compared.difference));
    CHECK(!compared.out_of_time);
  }
}

TEST_CASE("Kernels do not differ where the clock has ended a launch") {
  const std::string loop = "kernel void k(global int* out, int n) {\n"
                           "  int i = n;\n"
                           "  while (i != 0)\n"
                           "    i |= 1;\n"
                           "  out[get_global_id(0)] = i;\n"
                           "}\n",
                    ends = "kernel void k(global int* out, int n) {\n"
                           "  out[get_global_id(0)] = 0 * n;\n"
                           "}\n";
  const Folder folder;
  ComparisonSettings settings;
  settings.output = folder.path;
  settings.replay = {folder.path / "loops.json"};
  model::write_atomically(settings.replay.front(), R"({"name": "loops", "global_size": [1],
    "local_size": [1], "arguments": {"out": [0], "n": 5}})");
  const Target first = plain_target(loop, false), second = plain_target(ends, false);
  const KernelComparison compared = compare_kernels(first, second, settings, {});
  REQUIRE(compared.difference);
  CHECK(compared.difference->kind == KernelDifference::Kind::Endless);
  settings.limit = {.steps = simulator::kAnySteps / 10, .seconds = 0.02};
  CHECK_THROWS_WITH(compare_kernels(first, second, settings, {}),
                    gputest::tests::ContainsSubstring("the clock has ended the first kernel"));
  CHECK_THROWS_WITH(compare_kernels(second, first, settings, {}),
                    gputest::tests::ContainsSubstring("the clock has ended the second kernel"));
}
