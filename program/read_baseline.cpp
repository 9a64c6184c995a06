#include "program/read_baseline.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::program {
namespace {

std::string ordinal(std::size_t number) {
  const std::size_t last = number % 10, tens = number / 10 % 10;
  return fmt::format("{}{}", number,
                     tens == 1   ? "th"
                     : last == 1 ? "st"
                     : last == 2 ? "nd"
                     : last == 3 ? "rd"
                                 : "th");
}

} // namespace

void ReadBaseline::add(const std::vector<std::vector<std::uint64_t>>& reads) {
  if (std::exchange(is_first_, false)) {
    for (const auto& of_process : reads)
      pieces_.emplace_back(of_process.begin(), of_process.end());
    varies_in_number_.assign(pieces_.size(), false);
    return;
  }
  varies_in_processes_ = varies_in_processes_ || reads.size() != pieces_.size();
  for (std::size_t i = 0; i < std::min(reads.size(), pieces_.size()); ++i) {
    varies_in_number_[i] = varies_in_number_[i] || reads[i].size() != pieces_[i].size();
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k] != reads[i][k])
        pieces_[i][k] = std::nullopt;
  }
}

std::size_t ReadBaseline::count() const {
  std::size_t count = 0;
  for (const auto& of_process : pieces_)
    count += of_process.size();
  return count;
}

std::size_t ReadBaseline::varying() const {
  std::size_t count = 0;
  for (const auto& of_process : pieces_)
    count += static_cast<std::size_t>(
        std::ranges::count_if(of_process, [](const auto& piece) { return !piece.has_value(); }));
  return count;
}

std::string ReadBaseline::difference(const std::vector<std::vector<std::uint64_t>>& reads) const {
  if (varies_in_processes_)
    return "";
  if (reads.size() != pieces_.size())
    return fmt::format("{} processes use OpenCL instead of {}", reads.size(), pieces_.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::string process = pieces_.size() > 1 ? fmt::format("process {}", i + 1) : "it";
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k] && *pieces_[i][k] != reads[i][k])
        return fmt::format("the {} of {} pieces that {} reads back differs", ordinal(k + 1),
                           pieces_[i].size(), process);
    if (reads[i].size() != pieces_[i].size() && !varies_in_number_[i])
      return fmt::format("{} reads back {} pieces instead of {}", process, reads[i].size(),
                         pieces_[i].size());
  }
  return "";
}

std::set<std::size_t>
ReadBaseline::differing(const std::vector<std::vector<std::uint64_t>>& reads) const {
  std::set<std::size_t> numbers;
  for (std::size_t i = 0; i < std::min(reads.size(), pieces_.size()); ++i)
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k] && *pieces_[i][k] != reads[i][k])
        numbers.insert(k);
  return numbers;
}

} // namespace gputest::program
