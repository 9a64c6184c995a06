// Work-groups one after the other.
#pragma once

#include "simulator/execute/guard.h"
#include "simulator/execute/loader.h"

namespace gputest::simulator {

// Calls `run` for each of `count` groups, with the function that runs it, for at most `limit`
// seconds in all (run_guarded()). When the code has run for long, it is replaced between two of
// them (LoadedCode::replace_after), and the limit does not count the time that this takes.
std::optional<Fault> run_groups(const LoadedCode& code, std::size_t count, double limit,
                                const std::function<void(LoadedCode::Group, std::size_t)>& run);

} // namespace gputest::simulator
