// The budget of a mutant's iterations (templates/mutants.cuh), as plain C++: what CUDA adds to it
// means nothing here, and a trap is counted.
#include "tests/catch.h"

namespace {

unsigned traps = 0;

void atomicOr(unsigned* at, unsigned bits) {
  *at |= bits;
}
void atomicMax(unsigned* at, unsigned value) {
  *at = *at < value ? value : *at;
}
[[maybe_unused]] void trap() {
  ++traps;
}

} // namespace

#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __CUDA_ARCH__ 800
#define __threadfence_system()
#define __trap trap
#define GPUTEST_STATE gputest_state_of_iterations
#define GPUTEST_FIRST 6
#define GPUTEST_REACHED_WORDS 1
#define GPUTEST_ACTIVE GPUTEST_STATE[0]
#define GPUTEST_BUDGET GPUTEST_STATE[1]
#define GPUTEST_ITERATIONS 2
#define GPUTEST_EVENTS 3
#define GPUTEST_TOLD 0ULL
#pragma GCC diagnostic ignored "-Wunused-function"
#include "templates/mutants.cuh"

namespace {

// How often the kernel would have ended.
unsigned ends_of(unsigned active, unsigned budget, unsigned iterations) {
  GPUTEST_ACTIVE = active;
  GPUTEST_BUDGET = budget;
  traps = 0;
  gputest_function<0, 1> function;
  for (unsigned i = 0; i < iterations; ++i)
    function.is_over();
  return traps;
}

} // namespace

TEST_CASE("a mutant's budget of iterations ends it, and does not begin again", "[cuda]") {
  CHECK(ends_of(5, 3, 2) == 0);
  CHECK(ends_of(5, 3, 3) == 1);
  CHECK(ends_of(5, 3, 7) == 5);
  CHECK((GPUTEST_STATE[GPUTEST_EVENTS] & 2) != 0);
}

TEST_CASE("without a budget iterations have no end, and the original is never ended", "[cuda]") {
  CHECK(ends_of(5, 0, 1000) == 0);
  GPUTEST_STATE[GPUTEST_ITERATIONS] = 0;
  CHECK(ends_of(0xffffffffU, 3, 1000) == 0);
  CHECK(GPUTEST_STATE[GPUTEST_ITERATIONS] == 1000);
}
