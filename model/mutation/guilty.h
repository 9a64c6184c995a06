// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says who is wrong where a device computes something else with instrumented kernels than with the
// author's own. The simulator is the third judge, and two against one decide.
#pragma once

#include <fmt/format.h>
#include <string>

namespace gputest::model {

enum class Guilty {
  Unknown,  // all three differ, or the simulator cannot tell
  Original, // the device's compiler translates the author's kernel wrongly
  Variant,  // the device's compiler translates the instrumented kernel wrongly
  Gputest   // the instrumented kernel is wrong in the simulator, too
};

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

// Returns what to say, for people. `wrong`: what the variant computes and the original does not.
// `variant`: "k/mutants.cl".
inline std::string blame_text(Guilty guilty, const std::string& wrong, const std::string& variant) {
  switch (guilty) {
  case Guilty::Original:
    return fmt::format("the device's compiler translates the kernel wrongly: in the simulator it "
                       "computes what {} computes here, and not what it computes here itself, so "
                       "that no mutant was run: {}",
                       variant, wrong);
  case Guilty::Variant:
    return fmt::format("the device's compiler translates {} wrongly: in the simulator it computes, "
                       "without a mutant, what the original computes, so that no mutant was run: "
                       "{}\nMeasure with DEVICE simulator",
                       variant, wrong);
  case Guilty::Gputest:
    return fmt::format("{}, without a mutant, computes something else than the original, in the "
                       "simulator as well, so that no mutant was run: {}\nThis is an error of "
                       "gputest. Please report it, with the kernel",
                       variant, wrong);
  case Guilty::Unknown:
    break;
  }
  return fmt::format(
      "{}, without a mutant, computes something else than the original, so that no mutant was run: "
      "{}\nEither the device's compiler translates one of them wrongly, or this is an error of "
      "gputest, unless work-items race for that memory (--check races tells). Please report it, "
      "with the kernel",
      variant, wrong);
}

} // namespace gputest::model
