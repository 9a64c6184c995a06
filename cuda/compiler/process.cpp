// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/process.h"

#include "model/files.h"
#include "process/child.h"
#include "process/descriptor.h"
#include "process/scratch_folder.h"

#include <cstring>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

namespace gputest::cuda::compiler {

namespace {

int run(const process::Program& program, bool verbose) {
  if (verbose) {
    for (const std::string& word : program.words)
      std::cerr << " \"" << word << '"';
    std::cerr << '\n';
  }
  process::Ended ended;
  process::Tries tries;
  do {
    process::Child child;
    try {
      child = process::Child::start(program);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(std::string(error.what()) + "; GPUTEST_CLANG can name Clang 19");
    }
    ended = child.wait();
  } while (tries.again(ended.signal != 0 ? ended : process::Ended(), program.words[0]));
  if (!tries.given_up().empty())
    std::cerr << "gputest-cuda: error: " << tries.given_up() << '\n';
  else if (ended.signal != 0) // the program could not report it
    std::cerr << "gputest-cuda: error: " << program.words[0] << " has ended by signal "
              << ended.signal << " (" << ::strsignal(ended.signal) << ")\n";
  return ended.signal != 0 ? 1 : ended.exit_code;
}

} // namespace

int start(const Arguments& arguments, bool verbose) {
  return run({.words = arguments}, verbose);
}

int start_quietly(const Arguments& arguments, const std::string& output, bool verbose) {
  const process::Descriptor file = process::open_output(output);
  return run({.words = arguments,
              .descriptors = {{file.number(), STDOUT_FILENO}, {file.number(), STDERR_FILENO}}},
             verbose);
}

int start_and_keep(Arguments arguments, std::string& messages, bool verbose) {
  const process::ScratchFolder folder("gputest-cuda");
  const std::string file = (folder.path() / "messages").string();
  if (::isatty(STDERR_FILENO) != 0)
    arguments.emplace_back("-fcolor-diagnostics");
  const int failed = start_quietly(arguments, file, verbose);
  messages = model::read_text(file).value_or("");
  return failed;
}

} // namespace gputest::cuda::compiler
