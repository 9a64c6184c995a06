#include "runtime/variants/coverage_state.h"

#include "gputest/error.h"
#include "templates/state.h"
#include "tests/catch.h"

using namespace gputest;
using namespace gputest::runtime;

namespace {

model::SiteTable table(bool straight_line) {
  model::SiteTable result;
  result.coverage_words = 2;
  result.divergence_words = 1;
  model::InstrumentedKernel kernel;
  kernel.name = "k";
  kernel.functions = {"k"};
  kernel.straight_line = straight_line;
  result.kernels = {kernel};
  return result;
}

void set(Bytes& state, std::size_t word, std::uint32_t value) {
  store(state.data() + word * 4, value);
}
std::uint32_t get(const Bytes& state, std::size_t word) {
  return load<std::uint32_t>(state.data() + word * 4);
}

} // namespace

TEST_CASE("the header says where the sections are") {
  const Bytes state = make_state(table(false), 0);
  CHECK(get(state, 0) == GPUTEST_STATE_MAGIC);
  CHECK(get(state, GPUTEST_STATE_COVERAGE_OFFSET) == 16);
  CHECK(get(state, GPUTEST_STATE_COVERAGE_WORDS) == 2);
  CHECK(get(state, GPUTEST_STATE_DIVERGENCE_OFFSET) == 18);
  CHECK(get(state, GPUTEST_STATE_SLOTS_OFFSET) == 0);
  CHECK(state.size() == 19 * 4);
}

TEST_CASE("slots are folded into the bits") {
  Bytes state = make_state(table(true), 3);
  CHECK(get(state, GPUTEST_STATE_SLOTS_OFFSET) == 19);
  CHECK(state.size() == (19 + 6) * 4);
  set(state, 16, 1);     // word 0, written directly
  set(state, 19 + 2, 4); // word 0 of item 2
  set(state, 19 + 3, 8); // word 1 of item 0
  set(state, 18, 5);     // divergence
  const Recorded recorded = read_state(state);
  CHECK(recorded.coverage == std::vector<std::uint32_t>{5, 8});
  CHECK(recorded.divergence == std::vector<std::uint32_t>{5});
}

TEST_CASE("slots are for straight-line kernels on CPUs, while they are small") {
  CHECK(use_slots(table(true), "k", true, 1000));
  CHECK_FALSE(use_slots(table(true), "k", false, 1000));
  CHECK_FALSE(use_slots(table(false), "k", true, 1000));
  CHECK_FALSE(use_slots(table(true), "other", true, 1000));
  CHECK(use_slots(table(true), "k", true, kMaximumSlotBytes / 8));
  CHECK_FALSE(use_slots(table(true), "k", true, kMaximumSlotBytes / 8 + 1));
}

TEST_CASE("a state that was overwritten is recognised") {
  Bytes state = make_state(table(false), 0);
  set(state, 0, 0);
  CHECK_THROWS_AS(read_state(state), KernelError);
}

TEST_CASE("words survive the way over the pipe") {
  const std::vector<std::uint32_t> words{0, 1, 0xdeadbeef, 0xffffffff};
  CHECK(to_hex(words) == "0000000000000001deadbeefffffffff");
  CHECK(from_hex(to_hex(words)) == words);
}

TEST_CASE("a header that the kernel overwrote is no reason to read elsewhere") {
  const Bytes good = make_state(table(true), 3);
  for (std::size_t word = 0; word < GPUTEST_STATE_HEADER_WORDS; ++word)
    for (const std::uint32_t value :
         {0u, 1u, 18u, 1000000u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      INFO(word << " = " << value);
      Bytes state = good;
      set(state, word, value);
      try {
        const Recorded recorded = read_state(state);
        CHECK(recorded.coverage.size() <= state.size() / 4);
        CHECK(recorded.divergence.size() <= state.size() / 4);
      } catch (const KernelError&) {
        CHECK(word <= GPUTEST_STATE_SLOTS_ITEMS);
      }
    }
  for (std::size_t size = 0; size < good.size(); size += 4) // cut off
    CHECK_THROWS_AS(read_state(Bytes(good.begin(), good.begin() + static_cast<long>(size))),
                    KernelError);
}
