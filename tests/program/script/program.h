// A made-up kind of programs: shell scripts, which print records of kernels that nobody has. It is
// this folder and a row.
//
// A script begins with "#!/bin/sh" and "# gputest". It prints records to standard output, a line
// for each:
//   launch <kernel>           a launch
//   covers <line>             the line of the script, of which `sites` names all
//   finding <kind> <line>
//   read <number>             what it reads back
// The environment says what runs: VARIANT is coverage, check, mutants or schedules; MUTANT is the
// line that is changed, or empty; ORDER is "", "reversed", …, or the text of a schedule, which is
// for the kernels that KERNELS names.
#pragma once

#include "program/kind.h"

namespace gputest::tests {

program::ProgramKind script_kind();

} // namespace gputest::tests
