// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores of a large project: mutants of many kernels, in shards and in one.
//
//     stores [<mutants> [<shards> [<folder>]]]      100000 8 and a folder in /tmp without these
//
// Each kernel has 500 mutants. A quarter of them survives four cases, and the others are killed by
// the first one. Nothing runs: what is measured is the store.
#include "store/store.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using gputest::store::Outcome;
using gputest::store::Store;
using Clock = std::chrono::steady_clock;

constexpr unsigned kMutantsOfKernel = 500;

// The time by the clock and by the processor since it was made: "2.13 s (1.98 s of processor
// time)".
class Watch {
public:
  std::string text() const {
    return fmt::format("{:.2f} s ({:.2f} s of processor time)",
                       std::chrono::duration<double>(Clock::now() - start_).count(),
                       static_cast<double>(std::clock() - used_) / CLOCKS_PER_SEC);
  }

private:
  Clock::time_point start_ = Clock::now();
  std::clock_t used_ = std::clock();
};

std::string program_of(unsigned mutant) {
  return gputest::store::content_hash(fmt::format("program {}", mutant / kMutantsOfKernel));
}

void put(Store& store, unsigned mutant) {
  const bool survives = mutant % 4 == 0;
  for (unsigned test_case = 0; test_case < (survives ? 4u : 1u); ++test_case)
    store.put(
        program_of(mutant),
        {.mutant = gputest::store::content_hash(fmt::format("{}", mutant)).substr(0, 16),
         .test_case = gputest::store::content_hash(fmt::format("case {}", test_case)),
         .runs = 3,
         .noticed = survives ? 0u : 3u,
         .verdict = survives ? gputest::model::Verdict::Survived : gputest::model::Verdict::Killed,
         .reason = survives ? std::nullopt : std::optional(gputest::model::KillReason::WrongOutput),
         .detail = survives ? "" : "out[17]: expected 2.5, got 3.75\n  and 4 others",
         .seconds = 0.001});
}

double megabytes(const fs::path& file) {
  return static_cast<double>(fs::file_size(file)) / 1e6;
}

} // namespace

int main(int argc, char** argv) {
  const unsigned mutants = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100000;
  const unsigned shards = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 8;
  const fs::path folder =
      argc > 3 ? fs::path(argv[3])
               : fs::temp_directory_path() / fmt::format("gputest-stores-{}", ::getpid());
  if (mutants == 0 || shards == 0) {
    std::fprintf(stderr, "usage: stores [<mutants> [<shards> [<folder>]]]\n");
    return 2;
  }
  fs::create_directories(folder);

  Watch watch;
  {
    Store one(folder / "one.db");
    for (unsigned mutant = 0; mutant < mutants; ++mutant)
      put(one, mutant);
  }
  fmt::print("one store: {} to write, {:.1f} MB\n", watch.text(), megabytes(folder / "one.db"));

  double size = 0;
  watch = {};
  for (unsigned shard = 0; shard < shards; ++shard) {
    Store part(folder / fmt::format("{}.db", shard));
    for (unsigned mutant = shard; mutant < mutants; mutant += shards)
      put(part, mutant);
  }
  for (unsigned shard = 0; shard < shards; ++shard)
    size += megabytes(folder / fmt::format("{}.db", shard));
  fmt::print("{} shards, one after the other: {} to write, {:.1f} MB\n", shards, watch.text(),
             size);

  for (const char* const what : {"merge", "merge again"}) {
    watch = {};
    std::size_t changed = 0;
    {
      Store all(folder / "all.db");
      for (unsigned shard = 0; shard < shards; ++shard)
        changed += all.merge(folder / fmt::format("{}.db", shard)).changed;
    }
    fmt::print("{}: {}, {} outcomes, {:.1f} MB\n", what, watch.text(), changed,
               megabytes(folder / "all.db"));
  }

  watch = {};
  std::size_t found = 0;
  const Store all(folder / "all.db");
  for (unsigned mutant = 0; mutant < mutants; mutant += kMutantsOfKernel)
    found += all.outcomes(program_of(mutant)).size();
  fmt::print("reading all, kernel by kernel: {}, {} outcomes\n", watch.text(), found);
  fs::remove_all(folder);
}
