// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/replay.h"

#include "memory/json.h"
#include "model/files.h"
#include "model/json.h"
#include "model/sources.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::memory {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "gputest-memory-schedule-1";

std::string digest(const Gpu& gpu) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", gpu.cores, gpu.schedulers, gpu.warp_size,
                  gpu.width, gpu.warps_per_core, gpu.groups_per_core, gpu.loads_in_flight,
                  gpu.unrolled, gpu.division.instructions, gpu.division.divisor);
  for (const CacheLevel& cache : gpu.caches)
    text +=
        fmt::format(" / {} {} {} {} {} {} {} {} {} {} {} {} {}", cache.size, cache.line,
                    cache.sector, cache.ways, cache.shared, cache.banks, cache.hashed,
                    cache.hit_cycles, static_cast<int>(cache.write), cache.update_cycles,
                    cache.port_cycles, cache.local_banks, cache.bank_bytes.value_or(cache.line));
  if (gpu.local_memory)
    text += fmt::format(" / {} {} {} {}", gpu.local_memory->size, gpu.local_memory->banks,
                        gpu.local_memory->bank_bytes, gpu.local_memory->cycles);
  const Dram& dram = gpu.dram;
  text += fmt::format(" / {} {} {} {} {} {} {}", dram.banks, dram.bank_bytes, dram.cycles,
                      dram.busy_cycles, dram.hashed, dram.row_bytes, dram.row_hit_cycles);
  return model::digest_of(text);
}

std::string digest(const LaunchTrace& trace) {
  std::string text(trace.code.begin(), trace.code.end());
  for (const MemoryObject& object : trace.objects)
    text += fmt::format(" {} {}", object.local, object.size);
  for (const Reference& reference : trace.references)
    text += fmt::format(" {} {} {}", static_cast<int>(reference.kind), reference.object,
                        reference.waits);
  if (trace.before)
    text += digest(*trace.before);
  return model::digest_of(text);
}

WarpChoice choice_of(const Json& json) {
  WarpChoice choice{.seed = model::required<std::uint64_t>(json, "seed")};
  const auto name = model::required<std::string>(json, "schedule");
  if (name != model::name_of(WarpChoice::Kind::Phases)) {
    choice.kind = choice_named(name);
    return choice;
  }
  choice.kind = WarpChoice::Kind::Phases;
  for (const model::MemoryPhase& phase : model::memory_phases_from_json(json))
    choice.phases.push_back(
        {.begin = phase.begin, .kind = choice_named(phase.schedule), .seed = phase.seed});
  if (choice.phases.empty() || choice.phases.front().begin != 0)
    throw model::FormatError("key 'phases' has none that begins with choice 0");
  return choice;
}

} // namespace

Replay replay_of(const Gpu& gpu, const LaunchTrace& trace, const CaseReport& report) {
  return {.kernel = trace.kernel,
          .gpu = gpu.name,
          .test_case = report.name,
          .case_file = report.case_file,
          .gpu_digest = digest(gpu),
          .launch_digest = digest(trace),
          .choice = report.choice,
          .cycles = report.count.cycles,
          .choices = report.count.choices};
}

Json to_json(const Replay& replay, const CaseReport& report) {
  const Json found = model::to_json(results_of(report));
  return {{"format", kFormat},
          {"kernel", replay.kernel},
          {"gpu", replay.gpu},
          {"case", replay.test_case},
          {"case_file", replay.case_file.empty() ? Json(nullptr) : Json(replay.case_file)},
          {"gpu_digest", replay.gpu_digest},
          {"launch_digest", replay.launch_digest},
          {"schedule", model::name_of(replay.choice.kind)},
          {"seed", replay.choice.seed},
          {"phases", found["phases"]},
          {"cycles", replay.cycles},
          {"overhead_percent", report.overhead_percent()},
          {"interferences", found["interferences"]},
          {"choices", replay.choices}};
}

Replay read_replay(const std::filesystem::path& file) {
  return model::read_json_file(file, [](const Json& json) {
    model::expect_format(json, kFormat);
    Replay replay{.kernel = model::required<std::string>(json, "kernel"),
                  .gpu = model::required<std::string>(json, "gpu"),
                  .test_case = model::required<std::string>(json, "case"),
                  .gpu_digest = model::required<std::string>(json, "gpu_digest"),
                  .launch_digest = model::required<std::string>(json, "launch_digest"),
                  .choice = choice_of(json),
                  .cycles = model::required<Cycles>(json, "cycles"),
                  .choices = {}};
    if (const auto named = json.find("case_file"); named != json.end() && !named->is_null())
      replay.case_file = model::required<std::string>(json, "case_file");
    for (const Json& choice : model::required<Json>(json, "choices")) {
      if (!model::holds<std::uint32_t>(choice))
        throw model::FormatError("key 'choices' has what is no number of a warp: " + choice.dump());
      replay.choices.push_back(choice.get<std::uint32_t>());
    }
    return replay;
  });
}

void check_replay(const Replay& replay, const std::string& file, const Gpu& gpu,
                  const LaunchTrace& trace) {
  const auto refuse = [&](const std::string& why) {
    throw model::FormatError(fmt::format("{}: error: {}", file, why));
  };
  if (replay.kernel != trace.kernel)
    refuse(
        fmt::format("is a schedule of the kernel '{}', not of '{}'", replay.kernel, trace.kernel));
  if (replay.gpu != gpu.name)
    refuse(fmt::format("is a schedule for the GPU '{}', not for '{}'; give --gpu", replay.gpu,
                       gpu.name));
  if (replay.gpu_digest != digest(gpu))
    refuse(fmt::format("the numbers of the GPU '{}' are not what they were; make the schedule anew",
                       gpu.name));
  if (replay.launch_digest != digest(trace))
    refuse(fmt::format("the kernel or the case '{}' is not what it was: its warps do something "
                       "else; make the schedule anew",
                       replay.test_case));
}

} // namespace gputest::memory
