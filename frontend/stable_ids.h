// Ids that are the same on every machine and in every version, and that survive edits elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace gputest::passes {

// FNV-1a of 32 or 64 bits.
template <typename Word> Word stable_hash(std::string_view text) {
  static_assert(std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>);
  constexpr bool wide = sizeof(Word) == 8;
  auto hash = static_cast<Word>(wide ? 14695981039346656037u : 2166136261u);
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= static_cast<Word>(wide ? 1099511628211u : 16777619u);
  }
  return hash;
}

// Numbers things that have one id, in order: "a", "a.2", "a.3".
class StableIds {
public:
  std::string next(const std::string& id) {
    const unsigned count = ++seen_[id];
    return count > 1 ? id + '.' + std::to_string(count) : id;
  }

private:
  std::map<std::string, unsigned> seen_;
};

} // namespace gputest::passes
