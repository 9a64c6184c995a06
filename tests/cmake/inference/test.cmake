# The kernels of examples/inference are sound in all analyses, and each fault of their twins is found. Long runs have
# all kernels, with all mutants, fuzzing and generation.
set(CASE ${SOURCE_TREE}/examples/inference)
include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# None of this needs an OpenCL platform.
set(ENV{OCL_ICD_VENDORS} /nonexistent)
set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)
if(long)
  configure()
else()
  configure(-DQUICK=ON)
endif()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
# ctest_of(<what the user does> <regex of tests> [FAILS] [OUTPUT <regex>…] [NO_OUTPUT <regex>…])
function(ctest_of what tests)
  run(${what} COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure -R "^(${tests})$" ${ARGN})
endfunction()

ctest_of("analyse sound kernels" "[a-z_0-9]+\\.(test|coverage|schedules|check|mutation|memory)")
if(long)
  ctest_of("fuzz sound kernels" "[a-z_0-9]+\\.fuzz")
  run("generate cases" COMMAND ${CMAKE_COMMAND} --build ${build} --target generate)
endif()

# Each check of a twin has a finding of its kind.
set(found "")
foreach(twin IN ITEMS
    "quantised_dot.ASSUMES_32:race_same_value" "quantised_dot.PAST_THE_LAST_ROW:out_of_bounds"
    "softmax.DIVERGENT:divergent_barrier" "softmax.TAIL:out_of_bounds"
    "layer_norm.READS_AT_ONCE:race" "layer_norm.NO_BARRIER:race" "layer_norm.ALL_PARTS:uninitialized"
    "layer_norm.FEW_PARTS:out_of_bounds"
    "half_gemm.WHOLE_TILES:out_of_bounds" "half_gemm.ONE_BARRIER:race"
    "radix_sort.NO_BARRIER:race" "radix_sort.SUB_GROUP_BARRIER:race"
    "prefix_sum.SMALL_SCOPE:race" "prefix_sum.NO_RELEASE:race" "prefix_sum.LAST_LANE_32:sub_group_dependence"
    "pyramid.REPEAT:undefined_read" "pyramid.NO_LIMIT:out_of_bounds"
    "attention.NO_BARRIER:race" "attention.WHOLE_TILES:uninitialized"
    "rms_norm.ROUNDS_UP:out_of_bounds" "rms_norm.NO_BARRIER:race"
    "im2col.NO_TAIL:out_of_bounds" "im2col.ONE_SIDE:out_of_bounds"
    "top_k.UNWRITTEN:uninitialized" "top_k.DIVERGENT:divergent_warp"
    "depthwise.ONE_EACH:uninitialized" "depthwise.NO_BARRIER:race"
    "dequantise.LAST_BLOCK:out_of_bounds" "dequantise.SMALL_SCOPE:race")
  string(REGEX MATCH "^(.*)\\.(.*):(.*)$" unused ${twin})
  if(long OR CMAKE_MATCH_1 MATCHES "^(softmax|prefix_sum|top_k)$")
    string(REGEX MATCH "^(.*)\\.(.*):(.*)$" unused ${twin})
    list(APPEND found "Test +#[0-9]+: ${CMAKE_MATCH_1}\\.${CMAKE_MATCH_2}\\.check [^#]*\\[${CMAKE_MATCH_3}\\]")
  endif()
endforeach()
ctest_of("find the faults" "[a-z_0-9]+\\.[A-Z_0-9]+\\.check" FAILS OUTPUT ${found} "0% tests passed")

# Results that hang on the size of sub-groups: right with one, wrong with others.
ctest_of("run with each size of sub-groups" "prefix_sum\\.of_[0-9]+\\.test" OUTPUT "100% tests passed, 0 tests failed out of 2")
ctest_of("run what assumes a size" "prefix_sum\\.LAST_LANE_32\\.of_[0-9]+\\.test" FAILS OUTPUT "LAST_LANE_32.of_8.test \\(Failed\\)")
