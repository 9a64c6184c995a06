// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/compare_cycles.h"

#include "gputest/error.h"
#include "ir/error.h"
#include "memory/kernel.h"
#include "memory/search.h"
#include "process/scratch_folder.h"
#include "testgen/inputs/case_file.h"

#include <algorithm>

namespace gputest::driver {
namespace {

// One of the kernels on the model.
class OnModel {
public:
  OnModel(const testgen::Target& target, const memory::Gpu& gpu)
      : target_(target), gpu_(gpu),
        kernel_{.file = target.file,
                .interface = target.interface,
                .source = target.original,
                .remainder = target.remainder,
                .shared = std::ranges::any_of(target.arguments, &testgen::KernelArgument::shared)},
        tracer_(target.original, target.kernel()) {}

  std::uint64_t cycles(const testgen::Input& input) const {
    const auto file = testgen::write_case(folder_.path(), target_, input, {.name = "compared"});
    const auto launches = memory::launches_of(kernel_, {file}, {});
    return memory::run(gpu_, tracer_.trace(launches.at(0).launch, gpu_.warps())).cycles;
  }

private:
  const testgen::Target& target_;
  const memory::Gpu& gpu_;
  memory::Kernel kernel_;
  memory::Tracer tracer_;
  process::ScratchFolder folder_{"gputest-compared"};
};

} // namespace

void add_cycles(const testgen::Target& first, const testgen::Target& second,
                const std::vector<testgen::ComparedInput>& inputs, const std::string& gpu,
                report::ComparisonResult& result) {
  const memory::Gpu model = memory::gpu_named(gpu);
  for (const testgen::Target* target : {&first, &second})
    memory::check_warps(model, target->original.by_itself ? model::Language::Cuda
                                                          : model::Language::OpenCL);
  const auto note = [&](const std::string& why) {
    result.notes.push_back("cycles are not compared: " + why);
  };
  try {
    const OnModel ours(first, model), theirs(second, model);
    for (const testgen::ComparedInput& input : inputs)
      result.cycles.push_back({.input = input.name,
                               .first = ours.cycles(input.first),
                               .second = theirs.cycles(input.second)});
    result.gpu = model.name;
  } catch (const UsageError& error) {
    note(error.what());
  } catch (const ir::SourceError& error) {
    note(error.what());
  } catch (const ir::InputError& error) {
    note(error.what());
  }
}

} // namespace gputest::driver
