// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs survivors under the simulator's checks in one worker process, after the device has run all
// mutants: then all survivors are known, and share programs.
#pragma once

#include "runtime/analyses/mutation/messages.h"
#include "runtime/analyses/mutation/worker.h"
#include "runtime/process/worker.h"

#include <span>

namespace gputest::runtime {

struct SurvivorItem {
  std::size_t item = 0;          // in the job's items
  messages::ItemResult result{}; // the device's, with `survivor`
};

// Looks at what is left from index `first` on, and sends messages (messages.h): why none runs in
// the simulator any more; SurvivorStart; ItemResult when it is done with one. Where the simulator
// cannot run a mutant, ends this process, and the caller notes that in `job.losses`.
void work_on_survivors(const MutationJob& job, std::span<const SurvivorItem> survivors,
                       const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
