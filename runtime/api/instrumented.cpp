// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/instrumented.h"

#include "model/cache.h"
#include "model/coverage/cases.h"
#include "model/files.h"
#include "runtime/api/cuda.h"
#include "runtime/cases/values.h"
#include "runtime/machine/device_macros.h"
#include "runtime/process/file_lock.h"
#include "runtime/variants/coverage_collector.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

fs::path folder_named(const char* variable) {
  const char* const folder = std::getenv(variable);
  return folder ? fs::path(folder) : fs::path();
}

// The folder of files that are kept from call to call.
fs::path kept_folder() {
  if (const fs::path folder = coverage_folder(); !folder.empty())
    return folder;
  const fs::path cache = model::cache_folder();
  return (cache.empty() ? fs::temp_directory_path() / "gputest" : cache) / "calls";
}

// Returns the path of the command: beside this library, where a build puts both, or where an
// installation has it.
fs::path own_command() {
  Dl_info library{};
  if (::dladdr(reinterpret_cast<const void*>(&own_command), &library) == 0 || !library.dli_fname)
    return {};
  std::error_code error;
  const fs::path folder = fs::canonical(library.dli_fname, error).parent_path();
  for (const char* const place : {"gputest", GPUTEST_COMMAND_FROM_LIBRARY})
    if (const fs::path file = (folder / place).lexically_normal();
        !error && fs::is_regular_file(file))
      return file;
  return {};
}

} // namespace

fs::path coverage_folder() {
  return folder_named("GPUTEST_COVERAGE_DIR");
}

fs::path command_of(const RunOptions& options, std::string_view what_for) {
  return find_driver(options.driver.empty() ? own_command() : options.driver, what_for);
}

fs::path file_of(const Source& source) {
  if (!source.text)
    return fs::absolute(source.file);
  const std::string print = fingerprint(*source.text);
  const fs::path name = source.file.empty() ? fs::path(fmt::format("text-{}.cl", print.substr(8)))
                                            : source.file.filename();
  const fs::path file = fs::absolute(kept_folder()) / "texts" / print / name;
  if (model::read_text(file) != source.text) {
    fs::create_directories(file.parent_path());
    model::write_atomically(file, *source.text);
  }
  return file;
}

InstrumentedSource instrument_source(Machine& machine, const fs::path& source,
                                     const std::string& kernel, const std::string& function,
                                     const BuildSettings& settings, const fs::path& driver,
                                     bool is_text) {
  const fs::path cache = kept_folder() / "variants";
  InstrumentRequest request{.source = source,
                            .function = function,
                            .settings = settings,
                            .source_root = is_text ? source.parent_path()
                                                   : folder_named("GPUTEST_SOURCE_ROOT"),
                            .kernel = kernel};
  InstrumentedSource result{.folder = instrument(request, driver, cache), .sites = {}};
  result.sites = model::read_site_table(result.folder / "sites.json");
  if (!model::row_of(settings.language).asks_device)
    return result;
  request.device_macros = probe_macros(machine, result.sites.device_macros, settings);
  if (request.device_macros != result.sites.device_macros) {
    result.folder = instrument(request, driver, cache);
    result.sites = model::read_site_table(result.folder / "sites.json");
  }
  return result;
}

void record_coverage(const InstrumentedSource& variant, const std::string& kernel,
                     const fs::path& source, const std::string& device, const Bytes& state) {
  const fs::path file =
      coverage_folder() /
      fmt::format("{}.{}.coverage.json", source.stem().string(), as_file_name(kernel));
  CoverageCollector collector(variant.sites, kernel);
  const char* const test = std::getenv("GPUTEST_CASE");
  const std::string reached = collector.add(read_state(state), test ? test : "run_kernel");
  model::Coverage coverage = collector.coverage();
  if (test)
    coverage.cases.push_back({test, model::CaseVerdict::Passed, "", 0, reached});
  coverage.name = source.stem().string();
  coverage.device = device;
  const FileLock lock(file.string() + ".lock");
  if (fs::exists(file)) {
    model::Coverage before = model::read_coverage(file);
    if (model::has_same_sites(before, coverage)) {
      model::merge_by_case(before, coverage);
      coverage = std::move(before);
    }
  }
  model::write_coverage(coverage, file);
}

} // namespace gputest::runtime
