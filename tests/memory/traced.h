// A kernel of a few lines, traced; and what the model says of it.
#pragma once

#include "memory/model/machine.h"
#include "memory/trace/tracer.h"
#include "tests/catch.h"

#include <cstring>
#include <string>
#include <vector>

namespace gputest::memory::tests {

template <typename Value> GivenArgument buffer(const std::vector<Value>& values) {
  GivenArgument given;
  given.bytes.resize(values.size() * sizeof(Value));
  if (!values.empty())
    std::memcpy(given.bytes.data(), values.data(), given.bytes.size());
  return given;
}

inline GivenArgument floats(std::size_t count) {
  return buffer(std::vector<float>(count, 1));
}

template <typename Value> GivenArgument value(Value number) {
  GivenArgument given = buffer(std::vector<Value>{number});
  given.kind = ir::Parameter::Kind::Value;
  return given;
}

// The kernel is called k, and the file k.cl.
inline Tracer tracer(const std::string& text, const std::string& cl_std = {}) {
  return Tracer({.name = "k.cl", .text = "#line 1 \"k.cl\"\n" + text, .cl_std = cl_std}, "k");
}

// The file is k.cu.
inline Tracer cuda_tracer(const std::string& text, const std::string& kernel) {
  return Tracer(
      {.name = "k.cu", .text = "#line 1 \"k.cu\"\n" + text, .cl_std = {}, .by_itself = true},
      kernel);
}

inline LaunchTrace traced(const std::string& text, const TracedLaunch& launch,
                          std::size_t warp_size = 32) {
  return tracer(text).trace(launch, {warp_size});
}

inline TracedLaunch launch_of(std::array<std::size_t, 3> global_size,
                              std::array<std::size_t, 3> local_size,
                              std::vector<GivenArgument> arguments) {
  return {.sizes = {.dimensions = 3, .global = global_size, .local = local_size},
          .arguments = std::move(arguments)};
}

// All references of this kind to the variable, together.
inline ReferenceCount counted(const LaunchTrace& trace, const Gpu& gpu, Reference::Kind kind,
                              const std::string& variable) {
  const RunCount count = run(gpu, trace);
  ReferenceCount sum;
  for (std::size_t i = 0; i < trace.references.size(); ++i) {
    const Reference& reference = trace.references[i];
    if (reference.kind != kind || reference.object < 0 ||
        trace.objects[static_cast<unsigned>(reference.object)].name != variable)
      continue;
    const ReferenceCount& one = count.references[i];
    sum.executions += one.executions;
    sum.work_items += one.work_items;
    sum.transactions += one.transactions;
    sum.fewest += one.fewest;
  }
  return sum;
}

inline void check(const ReferenceCount& count, std::uint64_t executions, std::uint64_t transactions,
                  std::uint64_t fewest) {
  CHECK(count.executions == executions);
  CHECK(count.transactions == transactions);
  CHECK(count.fewest == fewest);
}

} // namespace gputest::memory::tests
