// Traces kernels of a few lines, for tests.
#pragma once

#include "testgen/solve/solve.h"

#include <cstring>
#include <string>
#include <vector>

namespace gputest::testgen::tests {

template <typename Value> Argument buffer(const std::vector<Value>& values) {
  Argument argument;
  argument.bytes.resize(values.size() * sizeof(Value));
  if (!values.empty())
    std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}

template <typename Value> Argument value(Value number) {
  Argument argument = buffer(std::vector<Value>{number});
  argument.kind = ir::Parameter::Kind::Value;
  return argument;
}

template <typename Value> std::vector<Value> values(const std::vector<std::byte>& bytes) {
  std::vector<Value> all(bytes.size() / sizeof(Value));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Value));
  return all;
}

// The kernel is called k, and the file /t.cl, whose first line the text begins with.
Tracer tracer_of(const std::string& text, bool launch_sizes = false);
Tracer cuda_tracer_of(const std::string& text, bool launch_sizes = false); // t.cu

Launch line(std::size_t global, std::size_t local);

// The first event at that line that goes this way; the test fails if there is none.
std::size_t event_at(const Traced& traced, unsigned line, std::uint64_t value);

// Each event's expression has the value that the event had.
void check_events(const Traced& traced);

bool has_z3();

// "3:true 5:false": line and direction of decisions of the author's, of one work-item.
std::string path(const Traced& traced, std::uint32_t item = 0);

} // namespace gputest::testgen::tests
