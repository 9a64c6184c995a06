// The process that launches: it ends with an input that never ends, and is there for the next.
#include "tests/catch.h"

#include "tests/testgen/kernel_files.h"

#include "runtime/cases/scalar.h"
#include "simulator/service/protocol.h"

#include <atomic>
#include <csignal>
#include <thread>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

struct Started {
  explicit Started(Target what, LaunchLimit limit = {.steps = 100'000'000, .seconds = 5})
      : kernel(std::move(what)), cache(simulator::cache_folder()), original(kernel.original, cache),
        instrumented(kernel.instrumented, cache),
        worker(
            kernel,
            {&instrumented.kernel({.kernel = kernel.kernel(),
                                   .checks = simulator::checks_named({"bounds", "arithmetic"}),
                                   .counts_steps = true}),
             &original.kernel({.kernel = kernel.kernel(),
                               .checks = simulator::checks_named({"races", "bounds"}),
                               .counts_steps = true}),
             &original.kernel({.kernel = kernel.kernel(), .ordered = true, .counts_steps = true})},
            limit) {}

  Target kernel;
  simulator::Cache cache;
  simulator::Program original, instrumented;
  Worker worker;
};

Input input_with(std::int64_t n, std::size_t elements) {
  Input input{.shape = {.dimensions = 1, .global = {8, 1, 1}, .local = {4, 1, 1}}, .arguments = {}};
  input.arguments.resize(2);
  input.arguments[0].bytes.resize(elements * 4);
  input.arguments[1].bytes.resize(4);
  runtime::store_integer(model::Scalar::Int, static_cast<std::uint64_t>(n),
                         input.arguments[1].bytes.data());
  return input;
}

} // namespace

TEST_CASE("Inputs run in order, and one that does not end is one outcome") {
  Started started(target("impossible.cl", "endless"));
  const std::vector<Input> inputs{input_with(0, 8), input_with(5, 8), input_with(12345, 8)};
  for (int round = 0; round < 2; ++round) {
    const std::vector<Outcome> outcomes = started.worker.run(inputs);
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].clean());
    CHECK(outcomes[1].fault == Fault::Endless);
    CHECK(outcomes[2].clean());
    CHECK(outcomes[0].words != outcomes[2].words);
  }
  CHECK(started.worker.faults() == 0); // the process goes on
}

TEST_CASE("A launch that does not end makes the same steps beside a load") {
  Started started(target("counts.cl"));
  Input large = input_with(1, kMostBytes / 4 + 1); // does not fit a Launcher
  large.shape.global = {1, 1, 1};
  large.shape.local = {1, 1, 1};
  Input small = large;
  small.arguments[0].bytes.resize(4);
  for (const Input& input : {small, large}) {
    const auto counted = [&] {
      const Checked checked = started.worker.check(input);
      CHECK(checked.fault == Fault::Endless);
      REQUIRE(checked.findings.size() == 1);
      CHECK_THAT(checked.findings[0].message, ContainsSubstring("all steps that it may make"));
      CHECK(checked.findings[0].site.line >= 3);
      return runtime::read_integer(model::Scalar::Int, checked.after[0].data());
    };
    const auto alone = counted();
    std::atomic<bool> over = false;
    std::vector<std::jthread> load;
    for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
      load.emplace_back([&] {
        while (!over)
          ;
      });
    CHECK(counted() == alone);
    over = true;
    CHECK(alone > 1'000'000);
  }
  CHECK_FALSE(started.worker.is_late());
}

TEST_CASE("A launch that the clock has ended is told") {
  Started started(target("counts.cl"), {.steps = simulator::kAnySteps / 10, .seconds = 0.01});
  CHECK(started.worker.run(input_with(0, 8)).clean());
  CHECK_FALSE(started.worker.is_late());
  CHECK(started.worker.run(input_with(1, 8)).fault == Fault::Endless);
  CHECK(started.worker.is_late());
}

TEST_CASE("Trials after launches that did not end have fewer steps") {
  constexpr std::int64_t kAll = 3'200'000, kSlack = 10'000; // an iteration may be the last
  Started started(target("impossible.cl", "endless"), {.steps = kAll, .seconds = 5});
  const auto has = [&](const Outcome& outcome, std::int64_t steps) {
    CHECK(outcome.fault == Fault::Endless);
    CHECK(outcome.steps >= steps);
    CHECK(outcome.steps < steps + kSlack);
  };
  const Input endless = input_with(5, 8), ends = input_with(0, 8);
  for (int i = 0; i < 4; ++i)
    has(started.worker.try_run(endless), kAll);
  has(started.worker.try_run(endless), kAll / 32);
  has(started.worker.run(endless), kAll); // what is no trial has all
  CHECK(started.worker.used_up() == 5);
  const Outcome ended = started.worker.try_run(ends);
  CHECK(ended.clean());
  CHECK(ended.steps > 0);
  CHECK(ended.steps < kSlack);

  // A launch that was of use is no longer than a sixteenth of a trial.
  started.worker.was_of_use(50'000);
  has(started.worker.try_run(endless), 16 * 50'000);
  started.worker.was_of_use(kAll / 2);
  has(started.worker.try_run(endless), kAll);
}

TEST_CASE("A process that somebody ends is no crash of the kernel") {
  Started started(target("impossible.cl", "endless"));
  CHECK(started.worker.run(input_with(0, 8)).clean());
  const auto kill = [&](int signal) {
    const int process = started.worker.process();
    REQUIRE(process > 0);
    REQUIRE(::kill(process, signal) == 0);
  };
  kill(SIGKILL); // while it waits
  CHECK(started.worker.run(input_with(12345, 8)).clean());
  kill(SIGSTOP); // and in a launch
  std::thread later([process = started.worker.process()] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(process, SIGKILL);
  });
  CHECK(started.worker.run(input_with(0, 8)).clean());
  later.join();
  CHECK(started.worker.faults() == 0);
}

TEST_CASE("Launches end with the time that there is") {
  Started started(target("impossible.cl", "endless"),
                  {.steps = simulator::kAnySteps / 10, .seconds = 5});
  CHECK(started.worker.run(input_with(0, 8)).clean());
  started.worker.set_deadline(Deadline::after(0.02));
  CHECK_THROWS_AS(started.worker.run(input_with(5, 8)), OutOfTime);
  CHECK_THROWS_AS(started.worker.check(input_with(0, 8)), OutOfTime);
  started.worker.set_deadline({});
  CHECK(started.worker.run(input_with(0, 8)).clean());
}

TEST_CASE("Launches with checks are made one after the other, also after one that does not end") {
  Started started(target("impossible.cl", "endless"), {.steps = 500'000'000, .seconds = 5});
  const std::vector<Input> inputs{input_with(0, 8), input_with(5, 8), input_with(12345, 8)};
  const std::vector<Checked> all = started.worker.check(inputs);
  REQUIRE(all.size() == 3);
  CHECK(all[0].valid());
  CHECK(all[1].fault == Fault::Endless);
  CHECK(all[2].valid());
  CHECK(all[2].after == started.worker.check(inputs[2]).after);

  // What is there is kept when the time is over.
  started.worker.set_deadline(Deadline::after(0.1)); // the second takes 1 s of a processor
  const std::vector<Input> more{inputs[0], inputs[1], inputs[2]};
  try {
    CHECK(started.worker.check(more).size() < 2);
  } catch (const OutOfTime&) { // on a machine that is too busy for the first
  }
}

TEST_CASE("Local memory begins as in all other launches") {
  Started started(target("impossible.cl", "begins"));
  CHECK_FALSE(started.worker.run(input_with(0, 8)).outside);
  const std::vector<std::byte> unwritten(32, std::byte{simulator::kUnwrittenByte});
  CHECK(started.worker.check(input_with(0, 8)).after[0] == unwritten);
  const auto other = started.worker.run_ordered(input_with(0, 8), 0);
  REQUIRE(other);
  CHECK((*other)[0] == unwritten);
}

TEST_CASE("Accesses out of bounds say how much memory they need") {
  Started started(target("loops.cl"));
  const Outcome outcome = started.worker.run(input_with(3, 2));
  CHECK(outcome.outside);
  CHECK_FALSE(outcome.harmful);
  CHECK(outcome.extents[0].begin == 0);
  CHECK(outcome.extents[0].end == 8 * 4);
  CHECK(started.worker.run(input_with(3, 8)).clean());
}

TEST_CASE("The original is checked, and runs in other orders") {
  Started started(target("loops.cl"));
  const Checked checked = started.worker.check(input_with(3, 8));
  CHECK(checked.valid());
  CHECK(runtime::read_integer(model::Scalar::Int, checked.after[0].data() + 4) == 4);
  const auto other = started.worker.run_ordered(input_with(3, 8), 0);
  REQUIRE(other);
  CHECK((*other)[0] == checked.after[0]);

  const Checked outside = started.worker.check(input_with(3, 2));
  REQUIRE_FALSE(outside.findings.empty());
  CHECK(outside.findings.front().kind == "out_of_bounds");
}
