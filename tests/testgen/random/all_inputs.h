// All inputs that a random kernel of two bytes has.
#pragma once

#include "tests/testgen/kernel_files.h"
#include "tests/testgen/random/random_program.h"

#include <fstream>
#include <string>

namespace gputest::testgen::tests {

// Whole numbers wrap around, as in proofs: what C leaves undefined is not what is tested here.
inline Target target_of_text(const std::string& text, bool mutants,
                             Dialect dialect = Dialect::OpenCl) {
  const Folder folder;
  frontend::SourceOptions options;
  options.file = (folder.path / (dialect == Dialect::OpenCl ? "k.cl" : "k.cu")).string();
  std::ofstream(options.file) << text;
  Target target = targets_of(options, "k", mutants).front();
  for (ir::Source* source : {&target.original, &target.instrumented}) {
    source->options.push_back("-fwrapv");
    source->device_code = source->entry = ""; // compiled without it
  }
  return target;
}

inline constexpr unsigned kThreads = 8; // of a block that has one pair of bytes

// A part of the inputs: p is 0 to 255, q one of 16 that follow each other.
inline Input all_inputs(unsigned part, Dialect dialect = Dialect::OpenCl) {
  const unsigned threads = dialect == Dialect::Warps ? kThreads : 1;
  Input input{.shape = {.dimensions = 1,
                        .global = {4096 * threads, 1, 1},
                        .local = {threads == 1 ? 64 : threads, 1, 1}}};
  input.arguments.resize(2);
  for (unsigned q = 16 * part; q < 16 * (part + 1); ++q)
    for (unsigned p = 0; p < 256; ++p)
      for (const unsigned byte : {p, q})
        input.arguments[0].bytes.push_back(static_cast<std::byte>(byte));
  input.arguments[1].bytes.resize(std::size_t{8} * 4096 * threads);
  return input;
}

inline constexpr unsigned kParts = 16;

} // namespace gputest::testgen::tests
