// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/progress.h"

#include <fmt/format.h>

namespace gputest::model {

void MutationProgress::building() {
  if (total_ > 0 && line_.is_due())
    line_.show(fmt::format("{} mutants, being built for the device", total_));
}

void MutationProgress::add(Verdict verdict, bool executed) {
  const auto now = Clock::now();
  if (done_++ == 0)
    start_ = now;
  killed_ += verdict == Verdict::Killed || verdict == Verdict::Timeout ? 1 : 0;
  survived_ += verdict == Verdict::Survived ? 1 : 0;
  executed_ += executed ? 1 : 0;
  if (!line_.is_due())
    return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  line_.show(progress_text(done_, total_, killed_, survived_,
                           seconds > 0 ? static_cast<double>(executed_) / seconds : 0));
}

std::string progress_text(std::uint64_t done, std::uint64_t total, std::uint64_t killed,
                          std::uint64_t survived, double per_second) {
  std::string text =
      fmt::format("{}/{} mutants, {} killed, {} survived", done, total, killed, survived);
  if (per_second > 0)
    text += fmt::format(", {:.0f} per second, {:.0f} s left", per_second,
                        static_cast<double>(total - done) / per_second);
  return text;
}

} // namespace gputest::model
