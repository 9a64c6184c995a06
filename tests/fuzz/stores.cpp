#include "store/store.h"

#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {

// As a store that is merged into an empty one, and as one that goes on.
bool stores(Bytes bytes) {
  static const Scratch scratch;
  const std::filesystem::path other = scratch.file("other.db", bytes);
  const std::filesystem::path own = scratch.path() / "own.db";
  for (const char* const file :
       {"own.db", "own.db-wal", "own.db-shm", "other.db-wal", "other.db-shm"})
    std::filesystem::remove(scratch.path() / file);
  constexpr std::chrono::milliseconds kPatience{1};
  bool whole = true;
  try {
    store::Store merged(own, kPatience);
    merged.merge(other);
    merged.outcomes("program");
  } catch (const store::StoreError&) {
    whole = false;
  }
  try {
    store::Store again(other, kPatience);
    again.outcomes("program");
    again.put("program", {.mutant = "m", .test_case = "c"});
    again.put_document("name", "kind", again.document("name", "kind"));
  } catch (const store::StoreError&) {
    whole = false;
  }
  return whole;
}

} // namespace gputest::fuzz
