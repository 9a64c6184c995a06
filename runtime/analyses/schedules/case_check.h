// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks whether a difference between schedules has a cause that is none of order: the kernel
// leaves its memory as launched, or the test case breaks what its kernel assumes.
#pragma once

#include "runtime/analyses/schedules/search.h"
#include "runtime/plan/case_runner.h"

#include <optional>
#include <string>

namespace gputest::runtime {

// Launches the case as it is. Returns, for people, what the kernel accesses outside of its buffers
// and arrays; nullopt: nothing.
using OutsideAccess = std::function<std::optional<std::string>()>;

// Runs guarded.cl. `guarded`: the subject with `mutants` set. All arguments must outlive what is
// returned.
OutsideAccess guarded_access(Machine& machine, const Subject& guarded, const BoundCase& test_case);
// Runs `kernel` with the checks of a machine that takes instructions. `limit`: seconds for the
// launch.
OutsideAccess checked_access(Machine& machine, BuiltKernel& kernel, const BoundCase& test_case,
                             double limit);

// Returns a check of two things:
// 1. Does the kernel leave its buffers or an array of its own, under the launch as it is? That is
//    FindingKind::OutOfBounds: the kernel may be wrong, or the case.
// 2. Is a row shorter than the launch is wide (ScheduleSites::rows)? With `c[i * nj + j]` and more
//    work-items in j than nj, work-items of different rows write the same elements. But such a case
//    may also have a race of another cause. So the launch is cut to the size that the argument
//    gives, and only if no schedule makes a difference then is the case invalid.
//
// `sites` must outlive what is returned.
CaseCheck case_check(OutsideAccess outside, const model::ScheduleSites& sites,
                     const std::string& kernel, const BoundCase& test_case);

// Returns the launch with `size` work-items in `dimension`, in groups whose size divides that.
Launch cut(const Launch& launch, unsigned dimension, std::size_t size);

} // namespace gputest::runtime
