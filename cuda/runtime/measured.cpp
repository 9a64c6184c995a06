#include "cuda/runtime/measured.h"

#include "cuda/runtime/text.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace gputest::cuda {
namespace {

constexpr std::string_view kState = "gputest_";

std::string hexadecimal(const std::byte* state, std::size_t size) {
  std::string digits;
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= size; at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, state + at, sizeof word);
    char text[9];
    std::snprintf(text, sizeof text, "%08x", word);
    digits += text;
  }
  return digits;
}

} // namespace

Measured::Measured()
    : variant_(environment("GPUTEST_CUDA_VARIANT")), records_(environment("GPUTEST_CUDA_RECORDS")) {
}

std::string Measured::chosen(const Container& container) {
  Container other = container;
  other.variants.clear();
  const auto found = std::ranges::find(container.variants, variant_, &ContainedVariant::name);
  if (!variant_.empty() && found != container.variants.end()) {
    other.code = found->code;
    const std::string& folder = found->folder;
    units_.push_back({.name = folder.substr(folder.rfind('/') + 1), .folder = folder});
  }
  return bytes_of(other);
}

bool Measured::watch(const std::string& variable, const std::byte* view, std::size_t size) {
  for (Unit& unit : units_)
    if (variable == std::string(kState) + variant_ + "_" + unit.name) {
      unit.state = view;
      unit.size = size;
      return true;
    }
  return false;
}

void Measured::write(std::uint64_t launches) {
  if (records_.empty() || units_.empty())
    return;
  std::string text;
  for (const Unit& unit : units_)
    text += "{\"folder\": " + quoted(unit.folder) + ", \"launches\": " + std::to_string(launches) +
            ", \"state\": \"" + (unit.state ? hexadecimal(unit.state, unit.size) : "") + "\"}\n";
  if (text == written_)
    return;
  written_ = text;
  const std::string file = records_ + "/" + std::to_string(::getpid()) + ".json";
  const std::string next = file + ".next";
  if (std::FILE* const stream = std::fopen(next.c_str(), "we")) {
    const bool whole = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (std::fclose(stream) == 0 && whole) // a reader sees the old one or the new one
      std::rename(next.c_str(), file.c_str());
  }
}

} // namespace gputest::cuda
