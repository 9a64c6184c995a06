// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run: runs a CUDA program that gputest-cuda built, in the simulator or on a GPU.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"
#include "program/cuda/run.h"

#include <cxxopts.hpp>
#include <optional>

namespace gputest::driver {

// The options of `gputest run` that are for CUDA programs alone. The latter throws CommandError
// where one of them is given.
void add_cuda_options(cxxopts::Options& options);
void refuse_cuda_options(const cxxopts::ParseResult& arguments);

// What is done for an analysis of a CUDA program.
struct CudaAnalysis {
  // Throws CommandError for wrong settings and options, before anything is made; nullptr: none can
  // be wrong.
  void (*refuse)(const model::Settings& settings, const cxxopts::ParseResult& arguments) = nullptr;
  int (*run)(const program::CudaRun& run, const model::Settings& settings,
             const cxxopts::ParseResult& arguments) = nullptr; // nullptr: not for CUDA programs
};

// Runs a CUDA program, for the analysis that is asked for, whose row `analysis` is. Throws
// CommandError, also for options that are for OpenCL programs.
int run_cuda(const cxxopts::ParseResult& arguments, const ProgramCommand& command,
             const std::optional<model::Settings>& settings, const CudaAnalysis& analysis);

int run_cuda_coverage(const program::CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments);

int run_cuda_check(const program::CudaRun& run, const model::Settings& settings,
                   const cxxopts::ParseResult& arguments);

void check_cuda_schedules(const model::Settings& settings, const cxxopts::ParseResult& arguments);
int run_cuda_schedules(const program::CudaRun& run, const model::Settings& settings,
                       const cxxopts::ParseResult& arguments);

void check_cuda_mutation(const model::Settings& settings, const cxxopts::ParseResult& arguments);
int run_cuda_mutation(const program::CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
