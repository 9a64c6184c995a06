// Runs a kernel of a few lines in this process, for tests.
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "simulator/explore/interleaved.h"

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator::tests {

struct Given {
  ir::Parameter::Kind kind = ir::Parameter::Kind::Buffer;
  std::vector<std::byte> bytes{}; // Buffer, Value; after the launch what the kernel left
  std::size_t local_size = 0;
  bool null = false;
  Image image{};
  BufferAccess access = BufferAccess::ReadWrite;
};

template <typename Value> Given buffer(const std::vector<Value>& values) {
  Given given;
  given.bytes.resize(values.size() * sizeof(Value));
  if (!values.empty())
    std::memcpy(given.bytes.data(), values.data(), given.bytes.size());
  return given;
}

template <typename Value> Given value(Value number) {
  Given given = buffer(std::vector<Value>{number});
  given.kind = ir::Parameter::Kind::Value;
  return given;
}

inline Given local(std::size_t bytes) {
  return {.kind = ir::Parameter::Kind::Local, .bytes = {}, .local_size = bytes};
}

inline Given null_buffer() {
  return {.bytes = {}, .null = true};
}

struct Run {
  std::string text; // OpenCL C; the kernel is called k, and the file t.cl; CUDA C++ in t.cu
  std::size_t global_size = 1, local_size = 1, global_offset = 0;
  std::size_t height = 1, depth = 1; // of the launch, and of each of its groups
  std::vector<Given> arguments{};
  std::vector<std::string> checks{};
  std::span<const simulator::Check* const> table = simulator::all_checks(); // of checks
  Order order{};
  double limit = 20;
  std::string cl_std{};
  std::vector<std::string> definitions{};
  bool cuda = false;
  std::size_t shared_bytes = 0; // of dynamic __shared__ memory
  bool in_full = false;         // the code is what has run for long already (Effort::Full)
};

struct Ran {
  LaunchResult result;
  std::vector<std::vector<std::byte>> memory; // of the arguments

  template <typename Value> std::vector<Value> values(std::size_t argument) const {
    std::vector<Value> all(memory.at(argument).size() / sizeof(Value));
    std::memcpy(all.data(), memory.at(argument).data(), all.size() * sizeof(Value));
    return all;
  }

  // "race 3/5": kinds and lines, a line each, in order.
  std::string findings() const;
};
std::string text_of(const std::vector<Finding>& findings);

// Throws what compiling and launching throw.
Ran run(const Run& what);

// The same of several, whose text, checks and kind of order are those of the first: compiled once,
// one program.
std::vector<Ran> run_all(const std::vector<Run>& all);

// Every interleaving of the same; all buffers are outputs.
ExploredLaunch explore(const Run& what, const ExplorationBounds& bounds = {});

// The same of several, whose text is that of the first: compiled once.
std::vector<ExploredLaunch> explore_all(const std::vector<Run>& all,
                                        const ExplorationBounds& bounds = {});

// One of them.
Ran run_turns(const Run& what, const std::vector<model::Turn>& turns);

} // namespace gputest::simulator::tests
