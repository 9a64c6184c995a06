// Random pairs of kernels against all of their inputs: the verdict of compare-kernels.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/all_inputs.h"
#include "tests/testgen/random_changes.h"

#include "testgen/comparison/compare.h"

#include <cstring>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

// With how many of the 65,536 inputs the first kernel leaves something else, or has a finding.
std::size_t differing_inputs(const Target& first, const Target& second) {
  CompiledKernel compiled_first(first), compiled_second(second);
  Worker worker_first(first, compiled_first.kernels(), 20),
      worker_second(second, compiled_second.kernels(), 20);
  std::size_t differing = 0;
  for (unsigned part = 0; part < kParts; ++part) {
    const Input input = all_inputs(part, Words::OpenCl);
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

} // namespace

// The first kernel has the text of the second with a few changes, of which some change nothing, and
// is in the other language every second time. Which pairs are equal is not known beforehand: all
// inputs say.
TEST_CASE("Random kernels differ if an input shows it, and are equal only if none does") {
  constexpr std::size_t kShare = 100; // a difference with one input of so many is to be found
  std::size_t equal = 0, proved = 0, different = 0, missed = 0;
  std::string missed_text;
  for (std::size_t seed = 1; seed <= gputest::tests::random_count(4); ++seed) {
    const Words words = seed % 2 == 0 ? Words::Cuda : Words::OpenCl;
    const RandomProgram program(2000 + seed), ours(2000 + seed, words);
    const auto first_text = [&](Reads reads) {
      return randomly_changed(ours.text(reads), seed, seed % 4 < 2 ? Change::Same : Change::Any);
    };
    const std::size_t differing =
        differing_inputs(target_of_text(first_text(Reads::Buffer), false, words),
                         target_of_text(program.text(Reads::Buffer), false));
    INFO("seed " << seed << '\n' << first_text(Reads::Arguments));
    INFO(differing << " inputs differ from those of\n" << program.text(Reads::Arguments));
    const Target first = target_of_text(first_text(Reads::Arguments), false, words),
                 second = target_of_text(program.text(Reads::Arguments), false);
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
  CHECK(equal > 0);
  CHECK(different > 0);
  CHECK(missed == 0);
}
