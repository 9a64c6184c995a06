// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says who is wrong where a device computes something else with instrumented kernels than with the
// author's own. The simulator is the third judge, and two against one decide.
#pragma once

#include "model/checks/finding.h"
#include "model/names.h"

#include <fmt/format.h>
#include <span>

namespace gputest::model {

enum class Guilty {
  Unknown,  // all three differ, or the simulator cannot tell
  Kernel,   // a check of the simulator finds a fault in the author's kernel
  Original, // the device's compiler translates the author's kernel wrongly
  Variant,  // the device's compiler translates the instrumented kernel wrongly
  Gputest   // the instrumented kernel is wrong in the simulator, too
};

constexpr auto names_of(Guilty) {
  return std::to_array<std::string_view>({"unknown", "kernel", "original", "variant", "gputest"});
}

// What the third judge says.
struct Opinion {
  Guilty guilty = Guilty::Unknown;
  std::string finding{}; // of a check, for Guilty::Kernel
};

// Returns what the checks' findings in the author's kernel decide. nullopt: nothing, because they
// found nothing that a result depends on.
inline std::optional<Opinion> opinion_of(std::span<const Finding> findings) {
  for (const Finding& finding : findings) {
    if (finding.kind == "endless") // perhaps it takes long
      return Opinion();
    if (finding.kind != "race_same_value")
      return Opinion{Guilty::Kernel, text_of(finding)};
  }
  return std::nullopt;
}

// Decides by whether the device computes what the original computes in the simulator, with the
// original and with the variant, and whether the variant does so in the simulator.
inline Guilty guilty_of(bool original_is_right, bool variant_is_right,
                        bool variant_is_right_in_simulator) {
  if (original_is_right == variant_is_right)
    return Guilty::Unknown;
  return variant_is_right                ? Guilty::Original
         : variant_is_right_in_simulator ? Guilty::Variant
                                         : Guilty::Gputest;
}

// Whether it is a finding about the kernel or the device, and no error of gputest.
inline bool is_finding(Guilty guilty) {
  return guilty == Guilty::Kernel || guilty == Guilty::Original;
}

// What messages say about a variant.
struct VariantWords {
  std::string name;     // "k/mutants.cl"
  std::string inactive; // how it runs: ", without a mutant,"; may be empty
  std::string lost;     // what there is not: "no mutant was run"
};

// Returns what to say, for people. `wrong`: what the variant computes and the original does not.
inline std::string blame_text(const Opinion& opinion, const std::string& wrong,
                              const VariantWords& variant) {
  switch (opinion.guilty) {
  case Guilty::Kernel:
    return fmt::format("the kernel computes something else as {} than by itself, because it is at "
                       "fault, so that {}: {}\nIn the simulator: {}",
                       variant.name, variant.lost, wrong, opinion.finding);
  case Guilty::Original:
    return fmt::format("the device's compiler translates the kernel wrongly: in the simulator it "
                       "computes what {} computes here, and not what it computes here itself, so "
                       "that {}: {}",
                       variant.name, variant.lost, wrong);
  case Guilty::Variant:
    return fmt::format("the device's compiler translates {} wrongly: in the simulator it "
                       "computes{} what the original computes, so that {}: {}\nMeasure with "
                       "DEVICE simulator",
                       variant.name, variant.inactive, variant.lost, wrong);
  case Guilty::Gputest:
    return fmt::format("{}{} computes something else than the original, in the simulator as well, "
                       "so that {}: {}\nThis is an error of gputest. Please report it, with the "
                       "kernel",
                       variant.name, variant.inactive, variant.lost, wrong);
  case Guilty::Unknown:
    break;
  }
  return fmt::format(
      "{}{} computes something else than the original, so that {}: {}\nEither the device's "
      "compiler "
      "translates one of them wrongly, or this is an error of gputest, unless work-items race for "
      "that memory (--check races tells). Please report it, with the kernel",
      variant.name, variant.inactive, variant.lost, wrong);
}

// Returns what to say where an oracle finds the original wrong, and the simulator does not.
inline std::string device_blame_text(const std::string& wrong) {
  return fmt::format("the device's compiler translates the kernel wrongly: in the simulator it "
                     "passes this case, without a finding of the checks: {}",
                     wrong);
}

} // namespace gputest::model
