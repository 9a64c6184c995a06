include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# None of this needs an OpenCL platform.
set(ENV{OCL_ICD_VENDORS} /nonexistent)
set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)

configure()

foreach(config IN LISTS configs)
  use_config(${config})

  run("build ${config}" COMMAND ${make})
  run("build ${config} twice" COMMAND ${make} NO_OUTPUT "Instrumenting" "Writing" "Building" "Linking")
  run("tests of the label" COMMAND ${test} -N -L "^check$" OUTPUT
      "sound.check" "racing.check" "bounded.check" "waiting.check" "proved.check" "switched.check" "many.check"
      "twice.check" "overwriting.check" "cuda_proved.check" "cuda_switched.check" "leaving.check" "left.check" "stepping.check"
      "synced.check" "accepted.check" "known.check" "Total Tests: 17")
  run("tests of the user's label" COMMAND ${test} -N -L "^quick$" OUTPUT "sound.test" "sound.mutation" "sound.check")

  run("a kernel without a fault" COMMAND ${test} -V -R "^sound.check$" OUTPUT "sound: 0 findings in 1 case"
      "checked: races, barriers, bounds, uninitialized, arithmetic")
  run("its test in the simulator" COMMAND ${test} -V -R "^sound.test$" OUTPUT "sound: 1 of 1 cases passed on simulator")
  run("its coverage there, too" COMMAND ${test} -V -R "^sound.coverage$" OUTPUT "\\(kernel .turn.\\) on simulator"
      "statement +100.0 %")
  run("the simulator among the devices" COMMAND ${results}/sound/sound_harness --list-devices OUTPUT "simulator: ")
  run("its mutants there, too" COMMAND ${test} -V -R "^sound.mutation$" OUTPUT "sound: mutation score .* on simulator")
  run("checks that have nothing to find" COMMAND ${test} -V -R "^bounded.check$" OUTPUT
      "sub-groups of 8, 16, 32 and 64 work-items leave the same outputs" "checked: bounds, sub_group_sizes")
  run("no sub-groups" FAILS COMMAND ${results}/synced/synced_harness --check sub_group_sizes OUTPUT
      "--check sub_group_sizes: kernels in CUDA C.. have warps of a known size, and no sub-groups; leave it out")
  run("a race" FAILS COMMAND ${test} -V -R "^racing.check$"
      OUTPUT "source/turn.cl:(9:28|5:11): error: data race on byte" "work-item \\([0-9]+\\) of group \\(0\\) (writes|reads) at [^ ]*turn.cl:(5:11|9:28)"
             "racing: 1 finding in 1 case")
  expect_file(${results}/racing/check.json "\"kind\": *\"race\"")

  run("one finding of two cases" FAILS COMMAND ${test} -V -R "^twice.check$"
      OUTPUT "set.cl:2:10: error: data race on byte" "in cases same, different" "twice: 1 finding in 2 cases")
  expect_file(${results}/twice/check.json "\"cases\": *\\[\"same\", *\"different\"\\]")

  run("a wait for an earlier group" FAILS COMMAND ${test} -V -R "^waiting.check$"
      OUTPUT "chain.cl:4:[0-9]+: error: with work-groups in descending order the kernel does not end")

  set(note "source/leave.cu:7:[0-9]+: note: the threads of block .0, 0, 0. go on behind this barrier without 4 of 16, which have left the kernel .first .12, 0, 0..; CUDA.s guide")
  set(noted_once "go on behind.*go on behind.*go on behind") # the barrier of the loop has one, too
  run("an early exit" COMMAND ${test} -V -R "^leaving.check$" OUTPUT "${note}" "leaving: 0 findings in 1 case"
      NO_OUTPUT "${noted_once}")
  run("its coverage" COMMAND ${test} -V -R "^leaving.coverage$" OUTPUT "${note}" NO_OUTPUT "${noted_once}")
  run("with the check of exits" FAILS COMMAND ${test} -V -R "^left.check$" OUTPUT
      "source/leave.cu:7:[0-9]+: error: the threads of block .0, 0, 0. go on behind this barrier without 4 of 16, .*early_exit."
      "left: 2 findings in 1 case; checked: exits" NO_OUTPUT "note: ")
  run("a warp in step" COMMAND ${test} -V -R "^stepping.check$" OUTPUT "stepping: 0 findings in 1 case; checked: races_in_step")
  run("which is told" FAILS COMMAND ${results}/stepping/stepping_harness --check races OUTPUT
      "source/step.cu:10:[0-9]+: error: data race on byte [0-9]+ of 'tile', within a warp: thread .[0-9]+, 0, 0. of block .0, 0, 0. reads here, and thread .[0-9]+, 0, 0. of block .0, 0, 0. writes at [^ ]*step.cu:5:.*lock_step."
      "stepping: 1 finding in 1 case; checked: races")
  run("which is told beside others" FAILS COMMAND ${results}/stepping/stepping_harness --check races_in_step,races
      OUTPUT "lock_step" "stepping: 1 finding")
  run("its twin" COMMAND ${test} -V -R "^synced.check$" OUTPUT "synced: 0 findings in 1 case")

  run("findings with a comment and in the file beside" COMMAND ${test} -V -R "^accepted.check$"
      OUTPUT "accepted: 0 findings, 2 suppressed in 1 case; checked: races" NO_OUTPUT "data race")
  run("a finding that a file has" COMMAND ${test} -V -R "^known.check$" OUTPUT "known: 0 findings, 1 suppressed in 1 case")
  run("another file" FAILS COMMAND ${results}/known/known_harness --check --suppressions ${WORK}/none.suppressions
      OUTPUT "none.suppressions: error: the file cannot be read")
  file(WRITE ${WORK}/all.suppressions "[race]\nkernel = mine\nreason = an older entry")
  run("what is accepted, in the report" COMMAND ${PREFIX}/bin/gputest report ${results}/accepted/check.json ${results}/known/check.json
      ${results}/racing/check.json --write-suppressions ${WORK}/all.suppressions --sarif ${WORK}/all.sarif
      OUTPUT "3 kernels checked, 1 finding, 3 suppressed" "suppressed: data race on byte"
             "by [^ ]*accepted.cl:5: the groups of this device run in step"
             "gputest.suppressions:[0-9]+: note: this entry matches no finding of these results")
  expect_file(${WORK}/all.sarif "\"suppressions\": *\\[{\"kind\": *\"inSource\", *\"justification\": *\"the groups of")
  expect_file(${WORK}/all.suppressions "^.race.\nkernel = mine\nreason = an older entry\n\n\\[race\\]\nfile = [^\n]*turn.cl\ntext = [^\n]*tile")
  file(WRITE ${WORK}/none.suppressions "[race\n")
  run("behind what is none" FAILS COMMAND ${PREFIX}/bin/gputest report ${results}/racing/check.json
      --write-suppressions ${WORK}/none.suppressions OUTPUT "none.suppressions:1: error: an entry begins with")
  expect_file(${WORK}/none.suppressions "^.race\n$")
  file(REMOVE ${WORK}/none.suppressions)
  run("with all of it accepted" COMMAND ${results}/racing/racing_harness --check races --json ${WORK}/check.json
      --suppressions ${WORK}/all.suppressions OUTPUT "racing: 0 findings, 1 suppressed in 1 case")

  # The descending order is run with the check as well, or it would be the pointer that is at fault.
  run("a fault that makes another" FAILS COMMAND ${test} -V -R "^overwriting.check$"
      OUTPUT "past_end.cl:6:[0-9]+: error: .* writes 4 bytes at byte 8 of 'array', which has 8 bytes"
             "overwriting: 1 finding in 1 case" NO_OUTPUT "null pointer")

  run("a proof" COMMAND ${test} -V -R "^proved.check$" OUTPUT
      "there is one interleaving: no two accesses depend on each other's order"
      "proved: 0 findings in 1 case; checked: interleavings")
  run("a missing barrier" FAILS COMMAND ${test} -V -R "^switched.check$" OUTPUT
      "inequivalent interleavings were run, and some left other outputs"
      "turn.cl:(9:28|5:11): error: outputs depend on which access comes first, within a work-group"
      "replay: gputest replay [^ ]*/switched/check/1.json")
  expect_file(${results}/switched/check.json "\"replay\": *\"check/1.json\"")
  expect_file(${results}/switched/check/1.json "\"strategy\": *\"interleave\"")
  run("its replay" FAILS COMMAND ${results}/switched/switched_harness --schedule ${results}/switched/check/1.json
      OUTPUT "interleaving: outputs differ from those as launched" "'data' differs in 1 of 16 values")
  run("its replay in the twin" COMMAND ${results}/proved/proved_harness --schedule ${results}/switched/check/1.json
      OUTPUT "held: arguments")
  run("its replay on a device" FAILS COMMAND ${results}/switched/switched_harness
      --schedule ${results}/switched/check/1.json --device cpu
      OUTPUT "the schedule switches work-items between two accesses, which the simulator alone can do")
  run("more interleavings than allowed" FAILS COMMAND ${test} -V -R "^many.check$" OUTPUT
      "not all interleavings are explored: after 3 there is no interleaving of those allowed left"
      "allow more with CHECK INTERLEAVINGS <number>")
  run("more of them allowed" COMMAND ${results}/many/many_harness --check interleavings --interleavings 1000000
      OUTPUT "all 6561 inequivalent interleavings leave the same outputs") # 3 for each pair of 8

  run("a proof of a CUDA kernel" COMMAND ${test} -V -R "^cuda_proved.check$" OUTPUT
      "there is one interleaving: no two accesses depend on each other's order")
  run("a missing __syncthreads()" FAILS COMMAND ${test} -V -R "^cuda_switched.check$" OUTPUT
      "6561 inequivalent interleavings were run, and some left other outputs"
      "turn.cu:(9:30|5:11): error: outputs depend on which access comes first, within a block: thread")
  run("its replay" FAILS COMMAND ${results}/cuda_switched/cuda_switched_harness
      --schedule ${results}/cuda_switched/check/1.json
      OUTPUT "interleaving: outputs differ from those as launched" "'data' differs in 1 of 16 values")
  run("its replay in the twin" COMMAND ${results}/cuda_proved/cuda_proved_harness
      --schedule ${results}/cuda_switched/check/1.json OUTPUT "held: arguments")

  run("schedules in the simulator" FAILS COMMAND ${test} -V -R "^ordered.schedules$" OUTPUT
      "within groups: work-items of a group race" "gputest replay")
  expect_file(${results}/ordered/schedules/arguments-1.json "\"device\": *\"simulator\"")
  run("one of them again" FAILS COMMAND ${results}/ordered/ordered_harness
      --schedule ${results}/ordered/schedules/arguments-1.json OUTPUT "within groups: outputs differ")
  file(READ ${results}/ordered/schedules/arguments-1.json schedule)
  string(REGEX REPLACE "\"kernel\": *\"turn\"" "\"kernel\": \"spin\"" other "${schedule}")
  file(WRITE ${WORK}/other.json "${other}")
  run("one of another kernel" FAILS COMMAND ${results}/ordered/ordered_harness --schedule ${WORK}/other.json
      OUTPUT "the schedule is of kernel 'spin', and this host program runs 'turn'")
  string(REGEX REPLACE "\"global_size\": *\\[16\\]" "\"global_size\": [8]" other "${schedule}")
  string(REGEX REPLACE "\"order\": *\"listed\"" "\"order\": \"reverse\"" other "${other}")
  file(WRITE ${WORK}/other.json "${other}")
  run("one of another size" FAILS COMMAND ${results}/ordered/ordered_harness --schedule ${WORK}/other.json
      OUTPUT "the schedule is for global size 8, local size 8, offset 0, and case 'arguments' has global size 16")
  string(REGEX REPLACE "\"permutation\": *\\[[0-9]+" "\"permutation\": [77" other "${schedule}")
  file(WRITE ${WORK}/other.json "${other}")
  run("one that is no permutation" FAILS COMMAND ${results}/ordered/ordered_harness --schedule ${WORK}/other.json
      OUTPUT "no permutation: 77 is not below")
  run("schedules of the twin" COMMAND ${test} -V -R "^ordered_sound.schedules$" OUTPUT "held: arguments")

  run("target check" FAILS COMMAND ${make} --target check OUTPUT "17 kernels checked, [0-9]+ findings"
      "Report: ${results}/check.html" "error: At least one check test failed" NO_OUTPUT "CMake Error" "Call Stack")
  expect_file(${results}/check.html "data race on byte")
  expect_file(${results}/check.sarif "\"uri\": *\"turn.cl\"")
  expect_file(${results}/check.xml "<testsuite name=\"turn .racing.\" tests=\"1\" failures=\"1\"")
  expect_file(${results}/check-report.json "gputest-check-report-1")
  expect_file(${results}/report.html "href=\"check.html\"")
  expect_file(${results}/report.html "nothing says what the outputs should be")
  expect_file(${results}/badge.svg "kernel tests: [0-9]+/19 hold")
endforeach()

# A simulator that is not there is said so, and no test passes.
run("no simulator" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_SIMULATOR=/nonexistent ${test} -V -R "^sound.check$"
    OUTPUT "/nonexistent is not the simulator; set the environment variable GPUTEST_SIMULATOR")
