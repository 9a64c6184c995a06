// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subcommands of gputest, each in the file of its name (docs/reference/command-line.md).
// argv[0] is the subcommand. They return an exit code, and throw what run_command() turns into one.
#pragma once

namespace gputest::driver {

int capture_command(int argc, char** argv); // run/
int cases_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int harness_command(int argc, char** argv);
int merge_command(int argc, char** argv);
int progress_command(int argc, char** argv);
int replay_command(int argc, char** argv);      // replay/
int report_command(int argc, char** argv);      // report/
int run_cuda_command(int argc, char** argv);    // programs/run.cpp, for a CUDA program
int run_program_command(int argc, char** argv); // programs/run.cpp
int verify_command(int argc, char** argv);
int watch_command(int argc, char** argv); // watch/

// gputest-passes has these subcommands, in passes/.
int describe_command(int argc, char** argv);
int instrument_command(int argc, char** argv);
int mutants_command(int argc, char** argv);
int schedule_command(int argc, char** argv);
int show_command(int argc, char** argv); // mutants.cpp

// What gputest-cuda asks for while it compiles a file whose device code is measured
// (cuda/variants.cpp).
int cuda_command(int argc, char** argv);
// What `gputest run-cuda` asks for about survivors of a source that has too many mutants to compare
// all of them while it is compiled (cuda/compared.cpp).
int cuda_compare_command(int argc, char** argv);

} // namespace gputest::driver
