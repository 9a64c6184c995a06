# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_keywords.cmake)

# gputest_add_kernel(<name> SOURCE <file> [KERNEL <entry> | FUNCTION <device function>]
#   GLOBAL_SIZE x [y [z]] [LOCAL_SIZE x [y [z]]] [GLOBAL_OFFSET x [y [z]]]
#   [ARGUMENTS <spec>…] [INTERFACE <json>] [TEST_CASES <json or glob>…]
#   [REFERENCE_KERNEL <file> [KERNEL <k>] [GLOBAL_SIZE x [y [z]]] [LOCAL_SIZE x [y [z]]]
#     [ARGUMENTS theirs=ours…]]
#   [REFERENCE <cpp> [REFERENCE_FUNCTION <f>] | REFERENCE HOST]
#   [PROPERTY <cpp> [PROPERTY_FUNCTION <f>]]
#   [TOLERANCE [ABSOLUTE a] [RELATIVE r] [ULP u]]
#   [DEFINITIONS …] [INCLUDE_DIRECTORIES …] [BUILD_OPTIONS …]
#   [CL_STD CL1.2|CL2.0|CL3.0|CLC++1.0|CLC++2021]
#   [CXX_STANDARD 11|14|17|20|23] [SHARED_MEMORY <bytes>] [WARP_SIZE 32|64]
#   [LOCK_STEP 2|4|8|16|32|64]
#   [<ANALYSIS> [<setting>…]]…
#   [GENERATE [BRANCH] [CONDITION] [LOOP] [MUTANTS] [ASSUME_FIXED] [BUDGET s] [INTO dir]
#     [SEED n] [MAX_CASES n]]
#   [REQUIRE <expression>…] [DISCOVER]
#   [TIMEOUT s] [DEVICE <name part, type or index> | DEVICES <such a one>…] [LABELS …])
#
# Tests a kernel, and measures how good its tests are: docs/reference/gputest_add_kernel.md. The
# analyses and their settings are those of functions/analyses.cmake, such as SCHEDULES 20 STRATEGY
# serial.
function(gputest_add_kernel name)
  set(context "gputest_add_kernel(): ${name}: ")
  gputest_private_check_name(gputest_add_kernel "${name}")
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 arg "${options}" "${single}" "${multiple}")
  get_property(bare GLOBAL PROPERTY gputest_keywords) # these may have no values
  list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES ${bare} GENERATE)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  gputest_private_kernel_words(words ${given_UNPARSED_ARGUMENTS})
  gputest_private_check_keywords("${context}" "${single};${multiple};${options}" "${words}"
                                 "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  gputest_private_add_kernel("${context}" ${name} ${words})
endfunction()
