// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with coverage feedback that one processor makes in a second, as generation makes them.
//
//     launching kernel.cl kernel [global size [local size]]
//
// Inputs are changed from one another as in fuzzing, and run in one worker. Seconds are those of a
// processor, of both processes.
#include "testgen/goals/work_clock.h"
#include "testgen/inputs/mutator.h"
#include "testgen/session.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

using namespace gputest::testgen;

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "launching kernel.cl kernel [global size [local size]]\n");
    return 2;
  }
  gputest::frontend::SourceOptions options;
  options.file = arguments[1];
  const Target target = targets_of(options, arguments[2]).front();
  CompiledKernel compiled(target);
  Worker worker(target, compiled.kernels(), kGenerationLimit);
  const auto size = [&](int index, unsigned otherwise) {
    return count > index ? static_cast<unsigned>(std::strtoul(arguments[index], nullptr, 10))
                         : otherwise;
  };
  const Shape shape{.dimensions = 1, .global = {size(3, 64), 1, 1}, .local = {size(4, 16), 1, 1}};
  Constraints constraints;
  constraints.shapes = {shape};
  Mutator mutator(target, constraints, 1);
  const Input input = mutator.fresh(shape, true);
  worker.run(input);
  const double begin = processor_seconds_here() + processor_seconds(worker.process());
  const std::uint64_t launches = worker.launches();
  std::vector<Input> batch(64, input);
  double seconds = 0;
  while (seconds < 3) {
    for (Input& one : batch)
      one = mutator.mutated(input, input);
    worker.run(batch);
    if (worker.faults() != 0) { // its processor time went with the process
      fmt::print(stderr, "a launch faulted: choose a kernel whose launches end\n");
      return 1;
    }
    seconds = processor_seconds_here() + processor_seconds(worker.process()) - begin;
  }
  fmt::print("{} launches in {:.2f} s of a processor: {:.0f} a second\n",
             worker.launches() - launches, seconds,
             static_cast<double>(worker.launches() - launches) / seconds);
}
