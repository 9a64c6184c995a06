// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes that are the same on every machine and in every version. They detect an edit, not an
// attack.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace gputest::model {

// FNV-1a of 32 or 64 bits.
template <typename Word> struct Fnv {
  static_assert(std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>);
  static constexpr bool kWide = sizeof(Word) == 8;
  Word hash = static_cast<Word>(kWide ? 14695981039346656037u : 2166136261u);

  void add(unsigned value) {
    hash ^= value;
    hash *= static_cast<Word>(kWide ? 1099511628211u : 16777619u);
  }
  void add(std::string_view text) {
    for (const char c : text)
      add(static_cast<unsigned char>(c));
  }
};

template <typename Word> Word stable_hash(std::string_view text) {
  Fnv<Word> all;
  all.add(text);
  return all.hash;
}

// Returns bits of which each depends on all: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, OOPSLA 2014). The bits of FNV-1a do not.
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}
// What its state grows by.
constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

// Returns a seed that depends on the arguments alone.
inline std::uint64_t seed_for(std::uint64_t seed, std::string_view test_case,
                              std::string_view argument) {
  Fnv<std::uint64_t> all;
  all.hash ^= seed;
  for (const std::string_view text : {test_case, argument}) {
    all.add(text);
    all.add(0x100); // no character, so "a"+"bc" is not "ab"+"c"
  }
  return all.hash;
}

} // namespace gputest::model
