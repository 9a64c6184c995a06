// Cases that generation finds, as reports and as files.
#pragma once

#include "frontend/source_options.h"
#include "memory/generate/generate.h"
#include "memory/generate/result.h"
#include "memory/kernel.h"
#include "memory/replay.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gputest::driver {

class CaseGeneration {
public:
  // `arguments`: what is said of the kernel's, as gputest_add_kernel() has it. Throws UsageError.
  CaseGeneration(const passes::SourceOptions& source, const memory::Kernel& kernel,
                 const std::vector<std::string>& arguments);

  // Looks for the worst cases of a launch like `first`. `compare`: the other strategies do so too,
  // and what they find when is in the result, too. Throws what tracing `first` throws.
  memory::Generation look(const memory::Tracer& tracer, const memory::NamedLaunch& first,
                          const memory::Gpu& gpu, const memory::GenerateSettings& settings,
                          bool compare) const;

  // Adds what was found, and reports of the cases, to the result.
  void report(memory::Generation generation, const memory::Tracer& tracer, const memory::Gpu& gpu,
              memory::MemoryResult& result,
              std::vector<std::pair<memory::Replay, std::size_t>>& replays);

  // Inputs as files of the folder "cases" in `folder`; replays must be named afterwards.
  void write(const std::filesystem::path& folder) const;

  // The launch of a generated case.
  const memory::TracedLaunch& launch(const std::string& name) const;

private:
  const memory::Kernel& kernel_;
  testgen::Target target_;
  testgen::Constraints constraints_;
  std::vector<memory::FoundCase> cases_;
};

} // namespace gputest::driver
