// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/messages.h"

#include "model/shell.h"

#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

// Returns the first error of a compiler's long output. run.json has all of it.
std::string first_error(const std::string& reason) {
  const std::size_t error = reason.find("error: ");
  const std::size_t begin = error == std::string::npos ? 0 : reason.rfind('\n', error) + 1;
  return reason.substr(begin, reason.find('\n', begin) - begin);
}

// Returns words for a finding whose text has been printed.
std::string name_of(const model::Finding& finding) {
  return fmt::format("{}: {}", finding.site.line == 0 ? finding.message : place_text(finding.site),
                     finding.kind);
}

} // namespace

void print_not_measured(const std::vector<program::NotMeasured>& entries) {
  for (const program::NotMeasured& entry : entries)
    fmt::print(stderr, "warning: not measured: {}{}{}{}\n", entry.program,
               entry.program.empty() || entry.kernel.empty() ? "" : ", kernel ", entry.kernel,
               (entry.program.empty() && entry.kernel.empty() ? "" : ": ") +
                   first_error(entry.reason));
}

bool print_failure(const std::string& name, const program::JudgedRun& judged) {
  if (!judged.passes())
    fmt::print(stderr, "error: {} failed: {}\n", name, judged.problem);
  return judged.passes();
}

int skipped(const std::string& name) {
  fmt::print(stderr, "skipped: {} found no device\n", name);
  return program::kSkipped;
}

void print_varying(std::size_t varying, std::size_t reads) {
  if (varying > 0)
    std::cout << fmt::format(
        "{} of {} pieces that it reads back vary by themselves and were not compared\n", varying,
        reads);
}

std::size_t print_findings(const std::vector<program::KernelChecks>& kernels,
                           const std::filesystem::path& folder, bool is_printed) {
  std::size_t count = 0;
  for (const program::KernelChecks& kernel : kernels) {
    for (std::size_t i = 0; i < kernel.findings.size(); ++i, ++count) {
      const program::LaunchFinding& found = kernel.findings[i];
      if (!found.leads)
        continue;
      std::cout << (is_printed ? name_of(found.finding) : text_of(found.finding)) << "\n";
      if (kernel.of_host)
        continue;
      if (found.launch > 0)
        std::cout << fmt::format("  in launch {} of {} ({})\n", found.launch, kernel.folder,
                                 model::text_of(found.sizes));
      if (!folder.empty())
        std::cout << fmt::format(
            "  replay: {}\n",
            model::replay_command(folder / kernel.folder / program::check_replay_file(i)));
    }
    for (const std::string& note : is_printed ? std::vector<std::string>() : kernel.notes)
      std::cout << note << "\n";
  }
  return count;
}

} // namespace gputest::driver
