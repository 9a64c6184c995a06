// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/job_summary.h"

#include "driver/report/files.h"
#include "model/files.h"

#include <cstdlib>
#include <string_view>

namespace gputest::driver {
namespace {

constexpr std::string_view kBegin = "<!-- gputest: begin -->\n", kEnd = "<!-- gputest: end -->\n";

} // namespace

void write_job_summary(const std::string& markdown) {
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  if (!file || !*file)
    return;
  std::string text = model::read_text(file).value_or("");
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = begin == std::string::npos ? begin : text.find(kEnd, begin);
  const std::string ours = std::string(kBegin) + markdown + std::string(kEnd);
  if (end != std::string::npos) {
    text.replace(begin, end + kEnd.size() - begin, ours);
  } else {
    if (!text.empty() && text.back() != '\n')
      text += '\n';
    text += ours;
  }
  write_report(file, text);
}

} // namespace gputest::driver
