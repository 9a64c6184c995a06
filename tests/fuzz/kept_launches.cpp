#include "gputest/error.h"
#include "memory/checked_launch.h"
#include "model/interface.h"
#include "tests/fuzz/scratch.h"

#include <array>

namespace gputest::fuzz {

bool kept_launches(Bytes bytes) {
  static const Scratch scratch;
  constexpr std::array<std::uint8_t, 64> kContents{};
  constexpr std::array<std::uint8_t, 4> kCode{'c', 'o', 'd', 'e'};
  scratch.file("k.bytes", kContents);
  scratch.file("k.code", kCode);
  try {
    memory::read_checked_launch(scratch.file("launch.json", bytes));
    return true;
  } catch (const UsageError&) {
    return false;
  } catch (const model::FormatError&) {
    return false;
  }
}

} // namespace gputest::fuzz
