// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/program_arguments.h"
#include "driver/run/messages.h"
#include "program/opencl/captured_cases.h"
#include "program/opencl/no_device.h"
#include "program/opencl/program.h"
#include "program/output_lock.h"

#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

} // namespace

int capture_command(int argc, char** argv) {
  cxxopts::Options options("gputest capture",
                           "Runs an existing OpenCL program, and writes each distinct launch as a "
                           "test case of gputest_add_kernel(): arguments, sizes, contents of "
                           "buffers before and after.\n");
  options.custom_help("[OPTION…] -- PROGRAM [ARGUMENT…]");
  add_program_options(options);
  add_kind_options(options, program::opencl_file_options());
  options.add_options()("max-cases", "keep at most so many distinct launches of a kernel",
                        cxxopts::value<std::string>()->default_value("10"),
                        "N")("max-bytes", "leave out launches with more bytes in buffers",
                             cxxopts::value<std::string>()->default_value("16777216"), "N")(
      "cmake", "print the gputest_add_kernel() lines that go with them")("h,help", "print this");
  ProgramCommand command = split_command(argc, argv);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help"))
    return print_help(options);
  const std::uint64_t max_cases = whole_option(arguments, "max-cases", {1, 1'000'000});
  const std::uint64_t max_bytes = whole_option(arguments, "max-bytes");
  program::OpenClProgram run(task_of(arguments, command),
                             given_options(arguments, program::opencl_file_options()), nullptr);
  const program::ProgramTask& task = run.task();
  const program::OutputLock lock(task.output);
  run.settings().measure = "launches";
  run.settings().max_cases = max_cases;
  run.settings().max_bytes = max_bytes;
  const program::ChildResult result =
      program::run_recorded(run.child(), run.run_folder(), run.settings());
  const program::RunRecords records = program::read_run_folder(run.run_folder());
  const program::CapturedCases cases = program::write_cases(records, run.settings(), task.output);
  fs::remove_all(run.run_folder());
  std::cout << std::flush;
  print_not_measured(cases.not_captured);
  std::size_t count = 0;
  for (const program::CapturedKernel& kernel : cases.kernels) {
    count += kernel.cases.size();
    if (!kernel.cases.empty())
      fmt::print(stderr, "{}: {} test case{} in {}\n", kernel.name, kernel.cases.size(),
                 kernel.cases.size() == 1 ? "" : "s",
                 (task.output / (kernel.name + ".*.json")).string());
  }
  if (arguments.count("cmake") > 0)
    std::cout << program::cmake_text(cases, run.settings().source_root) << std::flush;
  if (!result.succeeded())
    fmt::print(stderr, "error: {} failed: {}\n", task.name, result.text());
  if (count == 0) {
    fmt::print(stderr, "error: no launch of {} was captured: {}\n", task.name,
               records.no_device || records.programs.empty()
                   ? program::why_nothing(records, task.files.own)
                   : "it launched none that could be");
    return program::is_skipped(result, records) ? program::kSkipped : Failed;
  }
  return result.succeeded() ? Held : Failed;
}

} // namespace gputest::driver
