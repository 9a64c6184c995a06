// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/run_settings.h"

#include "model/files.h"
#include "model/json.h"

namespace gputest::runtime {
namespace {

constexpr const char* kFile = "settings.json";
constexpr const char* kFormat = "gputest-run-settings-1";

constexpr auto fields_of_settings() {
  using T = RunSettings;
  using model::field;
  return std::tuple{field("cache", &T::cache),
                    field("driver", &T::driver),
                    field("source_root", &T::source_root),
                    field("only_kernel_files", &T::only_kernel_files),
                    field("measure", &T::measure),
                    field("max_cases", &T::max_cases),
                    field("max_bytes", &T::max_bytes),
                    field("largest", &T::largest),
                    field("trace", &T::trace),
                    field("trials", &T::trials),
                    field("trial_seconds", &T::trial_seconds),
                    field("budgets", &T::budgets),
                    field("harm", &T::harm),
                    field("simulator", &T::simulator),
                    field("each_launch", &T::each_launch),
                    field("reads", &T::reads),
                    field("only_kernels", &T::only_kernels),
                    field("order", &T::order),
                    field("schedule", &T::schedule),
                    field("keep_reads", &T::keep_reads),
                    field("exclude", &T::exclude),
                    field("kernel_files", &T::kernel_files),
                    field("host_files", &T::host_files)};
}

} // namespace

void write_run_settings(const RunSettings& settings, const std::filesystem::path& folder) {
  model::Json json{{"format", kFormat}};
  model::write_fields(json, settings, fields_of_settings());
  model::write_atomically(folder / kFile, model::pretty(json));
}

RunSettings read_run_settings(const std::filesystem::path& folder) {
  return model::read_json_file(folder / kFile, [](const model::Json& json) {
    model::expect_format(json, kFormat, ""); // the layer says what to do, of other errors too
    RunSettings settings;
    model::read_fields(json, settings, fields_of_settings());
    return settings;
  });
}

} // namespace gputest::runtime
