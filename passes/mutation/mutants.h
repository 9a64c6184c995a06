// The mutation pass: every mutant of a file, most of them in one text.
//
// mutants.cl holds the original and all switched mutants; each site tests whether one of its own is
// active (mutant schemata: Untch, Offutt, Harrold, ISSTA 1993). What mutants do wrong is stopped
// where it happens: loops count against a budget, accesses are checked against the size of what
// they point into, integers are not divided by 0, and work-items vote before they part ahead of a
// barrier (passes/guards/barriers.h).
#pragma once

#include "model/mutants.h"
#include "passes/mutation/proposals.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// What turns the flat text into that of a mutant: ranges of it and what stands there instead.
struct TextChange {
  unsigned begin = 0, end = 0;
  std::string text;
};

struct MutantVariant {
  std::string text;     // mutants.cl
  std::string original; // original.cl: the guards alone, for mutants of the launch
  model::MutantTable table;
  std::map<std::string, std::vector<TextChange>> changes; // of the flat text, by mutant's id
};

// The wrapper kernel of a device function under test has no mutants of its own.
MutantVariant mutate(const Tree& tree, const std::string& source_name);

// mutants.cl with the mutants of these sites alone, with the numbers they have in the whole: for
// devices whose compiler does not take the whole.
std::string mutate_sites(const Tree& tree, const std::string& source_name,
                         const std::function<bool(unsigned)>& is_wanted);

// The text of a mutant by itself: `tree` is of the changed flat text. Guards report the numbers
// that `table` has. For mutants of synchronisation only what could diverge votes, so that votes
// hide no race.
std::string guarded(const Tree& tree, const model::MutantTable& table, bool synchronisation);

struct GuardedOriginal {
  std::string text;
  model::MutantTable table; // without mutants
};

// The guards alone, for whoever wants to know what the original itself does wrong.
GuardedOriginal guarded_original(const Tree& tree, const std::string& source_name);

// `source` with changes made. Places of what is new are those of what it replaces.
FlatSource changed(const FlatSource& source, const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation
