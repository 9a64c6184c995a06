// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats reports as text.
#pragma once

#include "memory/analysis.h"
#include "model/language.h"

#include <cstdint>
#include <set>
#include <string>

namespace gputest::memory {

std::string grouped(std::int64_t number); // "-12,345"
std::string grouped(std::uint64_t number);
std::string short_number(double number);                    // "32", "4.5"
std::string sets_text(const std::set<std::uint64_t>& sets); // "cache sets 0-3, 7 and 9"
std::string place_text(const PlaceCount& place);            // "transpose.cl:9:3"
std::string variable_text(const PlaceCount& place);         // "'odata'"
std::string accesses_text(const PlaceCount& place);         // "reads of 'idata'"

// Returns compiler-style warnings, each with its reason and what would help.
std::string warnings_text(const CaseReport& report);

// Returns compiler-style notes about places whose addresses are unknown before the kernel runs.
std::string notes_text(const CaseReport& report);

// Replaces OpenCL's words in the report's texts by those of the kernel's language.
void say_in_words_of(model::Language language, CaseReport& report);

std::string schedule_text(const CaseReport& report); // "random 3 (the worst of 20 schedules)"

// Returns the cycles and a table with a line for each place.
std::string summary_text(const CaseReport& report, const std::string& kernel, const Gpu& gpu);

} // namespace gputest::memory
