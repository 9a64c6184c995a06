include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()
set(make ${CMAKE_COMMAND} --build ${build})
set(git git -C ${source} -c user.name=a -c user.email=a@b -c commit.gpgsign=false)

# The main branch leaves its results, as of its commit.
run("a repository" COMMAND ${git} init -q)
run("its files" COMMAND ${git} add -A)
run("its commit" COMMAND ${git} commit -qm one)
run("its tag" COMMAND ${git} tag main-branch)
configure()
run("results of the main branch" COMMAND ${make} --target coverage OUTPUT "Report: " NO_OUTPUT "gates of this project")

# A pull request with an outcome that no case reaches.
configure(-DSINCE=main-branch "-DGATES=lost-outcomes$<SEMICOLON>new-findings")
run("no change" COMMAND ${make} --target coverage OUTPUT "Report: " NO_OUTPUT "gates of this project")
file(WRITE ${source}/clamp.cl "kernel void clamp(global int* data) {
  int i = get_global_id(0);
  if (data[i] > 2)
    data[i] = 2;
  if (data[i] < -7)
    data[i] = -7;
}
")
run("a lost outcome" FAILS COMMAND ${make} --target coverage OUTPUT "error: lost-outcomes: 2 lost outcomes clamp: clamp.cl:5:7: "
    "The results do not pass the gates of this project")
expect_file(${build}/gputest/report.html "Since main-branch")

# The environment wins, and may ask for coverage of the changed lines, and for a summary.
set(lines GPUTEST_FAIL_ON=new-findings GPUTEST_PATCH_COVERAGE=60 GITHUB_STEP_SUMMARY=${WORK}/summary.md)
run("changed lines" FAILS COMMAND ${CMAKE_COMMAND} -E env ${lines} ${make} --target coverage
    OUTPUT "patch coverage since main-branch: 50 %, 1 of 2 lines, below 60 % no case reaches clamp.cl:6" NO_OUTPUT "error: lost-outcomes")
expect_file(${WORK}/summary.md "### Tests of clamp: 1 of 1 kernel holds.*new since main-branch")
run("fewer changed lines" COMMAND ${CMAKE_COMMAND} -E env ${lines} GPUTEST_PATCH_COVERAGE=50 ${make} --target coverage
    OUTPUT "patch coverage since main-branch: 50 %")
run("a gate that does not exist" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_FAIL_ON=survivors ${make} --target coverage
    OUTPUT "--fail-on: 'survivors' is none of new-survivors")
run("a commit without results" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_AGAINST=nothing ${make} --target coverage
    OUTPUT "--against: 'nothing' is no folder, and" "The index of all reports could not be made")
