// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates cases, and makes reports and files of them.
#pragma once

#include "frontend/source_options.h"
#include "memory/generate/generate.h"
#include "memory/generate/result.h"
#include "memory/kernel.h"
#include "memory/replay.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::driver {

class CaseGeneration {
public:
  // `arguments`, `requirements`: ARGUMENTS and REQUIRE of gputest_add_kernel(). Throws UsageError.
  CaseGeneration(const frontend::SourceOptions& source, const memory::Kernel& kernel,
                 const std::vector<std::string>& arguments,
                 const std::vector<std::string>& requirements);

  // Looks for the worst cases of a launch like `first`. `compare`: the other strategies do so too,
  // and the result has what each found over time. Throws what tracing `first` throws, and
  // UsageError if `first` does not obey the requirements.
  memory::Generation look(const memory::Tracer& tracer, const memory::NamedLaunch& first,
                          const memory::Gpu& gpu, const memory::GenerateSettings& settings,
                          bool compare);

  // Adds what was found, and reports of the cases, to `result` and their schedules to `replays`.
  // If `is_over` says so before a report other than the first, that case and those behind it are
  // left out.
  void report(memory::Generation generation, const memory::Tracer& tracer, const memory::Gpu& gpu,
              memory::KernelReport& result,
              std::vector<std::pair<memory::Replay, std::size_t>>& replays,
              const std::function<bool()>& is_over);

  // Writes inputs as files to the folder "cases" in `folder`. `offset_has_default`: as in CaseText.
  // Replays must be named afterwards.
  void write(const std::filesystem::path& folder, bool offset_has_default) const;

  // Returns the launch of a generated case.
  const memory::TracedLaunch& launch(const std::string& name) const;

private:
  const memory::Kernel& kernel_;
  testgen::Target target_;
  testgen::Constraints constraints_;
  std::vector<memory::FoundCase> cases_;
};

} // namespace gputest::driver
