// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/read_baseline.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

ReadBaseline::Reads ReadBaseline::aligned(const Reads& reads) const {
  const auto is_same = [](const auto& of_process, const auto& known) {
    return std::ranges::equal(of_process, known, [](std::uint64_t hash, const auto& piece) {
      return !piece || *piece == hash;
    });
  };
  Reads result(pieces_.size());
  std::vector<bool> is_taken(pieces_.size());
  if (reads.size() != pieces_.size() || reads.size() < 2)
    return reads;
  for (const auto& of_process : reads) {
    std::size_t i = 0;
    while (i < pieces_.size() && (is_taken[i] || !is_same(of_process, pieces_[i])))
      ++i;
    if (i == pieces_.size())
      return reads;
    is_taken[i] = true;
    result[i] = of_process;
  }
  return result;
}

void ReadBaseline::add(const std::vector<std::vector<std::uint64_t>>& given) {
  const Reads reads = aligned(given);
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

std::string ReadBaseline::difference(const std::vector<std::vector<std::uint64_t>>& given) const {
  if (varies_in_processes_)
    return "";
  const Reads reads = aligned(given);
  if (reads.size() != pieces_.size())
    return fmt::format("{} processes use {} instead of {}", reads.size(), device_, pieces_.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::string process = pieces_.size() > 1 ? fmt::format("process {}", i + 1) : "it";
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k].value_or(reads[i][k]) != reads[i][k])
        return fmt::format("the {} of {} pieces that {} reads back differs", ordinal(k + 1),
                           pieces_[i].size(), process);
    if (reads[i].size() != pieces_[i].size() && !varies_in_number_[i])
      return fmt::format("{} reads back {} pieces instead of {}", process, reads[i].size(),
                         pieces_[i].size());
  }
  return "";
}

std::set<std::size_t>
ReadBaseline::differing(const std::vector<std::vector<std::uint64_t>>& given) const {
  const Reads reads = aligned(given);
  std::set<std::size_t> numbers;
  for (std::size_t i = 0; i < std::min(reads.size(), pieces_.size()); ++i)
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k].value_or(reads[i][k]) != reads[i][k])
        numbers.insert(k);
  return numbers;
}

nlohmann::ordered_json ReadBaseline::to_json() const {
  nlohmann::ordered_json json{{"pieces", nlohmann::ordered_json::array()},
                              {"varies_in_number", varies_in_number_},
                              {"varies_in_processes", varies_in_processes_}};
  for (const auto& of_process : pieces_) {
    auto& pieces = json["pieces"].emplace_back(nlohmann::ordered_json::array());
    for (const auto& piece : of_process)
      pieces.push_back(piece ? nlohmann::ordered_json(*piece) : nlohmann::ordered_json());
  }
  return json;
}

ReadBaseline ReadBaseline::from_json(const nlohmann::ordered_json& json) {
  ReadBaseline baseline;
  baseline.is_first_ = false;
  for (const auto& of_process : json.at("pieces")) {
    auto& pieces = baseline.pieces_.emplace_back();
    for (const auto& piece : of_process)
      pieces.push_back(piece.is_null() ? std::nullopt : std::optional(piece.get<std::uint64_t>()));
  }
  baseline.varies_in_number_ = json.at("varies_in_number").get<std::vector<bool>>();
  baseline.varies_in_number_.resize(baseline.pieces_.size());
  baseline.varies_in_processes_ = json.at("varies_in_processes").get<bool>();
  return baseline;
}

} // namespace gputest::program
