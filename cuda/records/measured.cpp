// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/records/measured.h"

#include "cuda/records/text.h"
#include "model/mutation/cuda_state.h"
#include "model/whole_number.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace gputest::cuda {
namespace {

constexpr unsigned kTrace = 0xffffffff;
constexpr std::uint64_t kMost = 0xffffffff; // of mutants and budgets

// The program and the libraries that it has loaded, as an array of JSON.
std::string loaded_files() {
  char program[4096];
  const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program);
  std::string text = "[" + quoted({program, length > 0 ? static_cast<std::size_t>(length) : 0});
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        if (info->dlpi_name && info->dlpi_name[0] == '/')
          *static_cast<std::string*>(all) += ", " + quoted(info->dlpi_name);
        return 0;
      },
      &text);
  return text + "]";
}

} // namespace

Measured::Measured(std::string device)
    : device_(std::move(device)), variant_(environment("GPUTEST_CUDA_VARIANT")),
      records_(environment("GPUTEST_CUDA_RECORDS")) {
  activate(environment("GPUTEST_CUDA_MUTANT"),
           static_cast<std::uint32_t>(environment_number("GPUTEST_CUDA_BUDGET", {0, kMost}, 0)));
  if (!variant_.empty() && variant_ != "coverage" && variant_ != "mutants")
    refuse_environment("GPUTEST_CUDA_VARIANT: '" + variant_ + "' is not coverage or mutants");
}

void Measured::activate(const std::string& mutant, std::uint32_t budget) {
  budget_ = budget;
  active_.clear();
  std::istringstream words(mutant);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.rfind(':');
    const auto number = colon == std::string::npos
                            ? std::nullopt
                            : model::whole_number(word.substr(colon + 1), {0, kMost});
    if (!number)
      refuse_environment("GPUTEST_CUDA_MUTANT: '" + word +
                         "' is not <compiled source>:<number>, with a number from 0 to " +
                         std::to_string(kMost));
    active_[word.substr(0, colon)] = static_cast<unsigned>(*number);
  }
  for (const Unit& unit : units_)
    if (unit.state)
      control(unit, unit.state);
}

unsigned Measured::active_in(const std::string& unit) const {
  const auto found = active_.find(unit);
  return found != active_.end() ? found->second : active_.empty() ? kTrace : 0;
}

unsigned Measured::launch(const std::string& unit, unsigned site) {
  if (variant_ != "mutants")
    return 0;
  const unsigned active = active_in(unit);
  if (active != kTrace)
    return active;
  launched_[unit].insert(site);
  return 0;
}

void Measured::add_unit(const std::string& folder) {
  units_.push_back({.name = folder.substr(folder.rfind('/') + 1), .folder = folder});
}

void Measured::control(const Unit& unit, std::byte* state) const {
  const std::uint32_t words[] = {active_in(unit.name), budget_};
  static_assert(model::kCudaActive == 0 && model::kCudaBudget == 1);
  if (variant_ == "mutants" && unit.size >= sizeof words)
    std::memcpy(state, words, sizeof words);
}

void Measured::watch(const std::string& variable, std::byte* view, std::size_t size) {
  for (Unit& unit : units_)
    if (variable == "gputest_" + variant_ + "_" + unit.name && !unit.state && unit.left.empty()) {
      unit.state = view;
      unit.size = size;
      control(unit, view);
    }
}

void Measured::unwatch(const std::byte* view) {
  for (Unit& unit : units_)
    if (view && unit.state == view) {
      unit.left.assign(view, view + unit.size);
      unit.state = nullptr;
    }
}

// 8 hexadecimal digits a word.
std::string Measured::state_of(const Unit& unit) const {
  std::vector<std::uint32_t> words(unit.size / sizeof(std::uint32_t));
  if (const std::byte* const state = unit.state ? unit.state : unit.left.data())
    std::memcpy(words.data(), state, words.size() * sizeof words[0]);
  if (const auto launched = launched_.find(unit.name); launched != launched_.end())
    for (const unsigned site : launched->second)
      if (model::kCudaReached + site / 32 < words.size())
        words[model::kCudaReached + site / 32] |= 1U << site % 32;
  std::string digits;
  for (const std::uint32_t word : words) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", word);
    digits += text;
  }
  return digits;
}

void Measured::write(std::uint64_t launches) {
  if (records_.empty() || units_.empty())
    return;
  // Nobody wants the number of launches of a mutant's run.
  std::string states = lost_;
  for (const Unit& unit : units_)
    states += state_of(unit) + '\n';
  if (!active_.empty() && states == written_states_)
    return;
  written_states_ = states;
  std::string text;
  for (const Unit& unit : units_)
    text += "{\"folder\": " + quoted(unit.folder) + ", \"device\": " + quoted(device_) +
            ", \"launches\": " + std::to_string(launches) +
            (lost_.empty() ? "" : ", \"lost\": " + quoted(lost_)) + ", \"state\": \"" +
            state_of(unit) + "\"}\n";
  if (text == written_)
    return;
  written_ = text;
  text += "{\"loaded\": " + loaded_files() + "}\n";
  const std::string file = records_ + "/" + std::to_string(::getpid()) + ".json";
  const std::string next = file + ".next";
  if (std::FILE* const stream = std::fopen(next.c_str(), "we")) {
    const bool whole = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (std::fclose(stream) == 0 && whole) // a reader sees the old one or the new one
      std::rename(next.c_str(), file.c_str());
  }
}

} // namespace gputest::cuda
