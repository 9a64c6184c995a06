// Whether a test case breaks what its kernel assumes: then a difference between schedules is the
// case's fault, and not the kernel's.
#pragma once

#include "runtime/analyses/schedules/search.h"
#include "runtime/plan/case_runner.h"

#include <optional>
#include <string>

namespace gputest::runtime {

// What a launch as it is does outside of its buffers and arrays, for people; nothing: that.
using OutsideAccess = std::function<std::optional<std::string>()>;

// By guarded.cl. `guarded`: the subject with `mutants` set. All must outlive what is returned.
OutsideAccess guarded_access(Machine& machine, const Subject& guarded, const BoundCase& test_case);
// By the checks of a machine that takes instructions. `limit`: seconds.
OutsideAccess checked_access(Machine& machine, BuiltKernel& kernel, const BoundCase& test_case,
                             double limit);

// Two things are looked at:
// 1. The kernel under the launch as it is, with its accesses checked: does it leave its buffers, or
//    an array of its own?
// 2. Rows that an argument makes shorter than the launch is wide (ScheduleSites::rows): with
//    `c[i * nj + j]` and more work-items in j than nj, work-items of different rows write the same
//    elements. To tell such a case from a race that has nothing to do with it, the launch is cut to
//    the argument's size: only if no schedule makes a difference then is the case called invalid.
// `sites` must outlive what is returned.
CaseCheck case_check(OutsideAccess outside, const model::ScheduleSites& sites,
                     const std::string& kernel, const BoundCase& test_case);

// The launch cut to `size` work-items in `dimension`, in groups that divide it.
Launch cut(const Launch& launch, unsigned dimension, std::size_t size);

} // namespace gputest::runtime
