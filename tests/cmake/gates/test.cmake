include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()
set(git git -C ${source} -c user.name=a -c user.email=a@b -c commit.gpgsign=false)

# The main branch leaves its results, as of its commit.
run("a repository" COMMAND ${git} init -q)
run("its files" COMMAND ${git} add -A)
run("its commit" COMMAND ${git} commit -qm one)
run("its tag" COMMAND ${git} tag main-branch)
configure()
run("results of the main branch" COMMAND ${make} --target coverage mutation check OUTPUT "Report: " NO_OUTPUT "gates of this project")
run("what cases are worth" COMMAND ${GPUTEST} cases ${build}/gputest OUTPUT "1 of 2 cases have the same coverage and score")
run("a redundant case" FAILS COMMAND ${GPUTEST} cases ${build}/gputest --fail-on-redundant --no-terminal
    OUTPUT "error: clamp: no outcome and no mutant needs case 'small")

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

# The whole way of a pull request, as GitHub's CI goes it: all targets, annotations, the job's summary, SARIF.
function(pull_request what)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "STOPPED_BY;SUMMARY;ANNOTATED")
  set(ENV{GITHUB_ACTIONS} true)
  set(ENV{GITHUB_STEP_SUMMARY} ${WORK}/summary.md)
  file(REMOVE ${WORK}/summary.md)
  set(fails "")
  set(silent "")
  if(arg_STOPPED_BY)
    set(fails FAILS)
  else()
    set(silent NO_OUTPUT "::error" "gates of this project")
  endif()
  run("${what}" ${fails} COMMAND ${make} --target ${arg_TARGET} OUTPUT "Report: " ${arg_STOPPED_BY} ${arg_ANNOTATED} ${silent})
  expect_file(${WORK}/summary.md ${arg_SUMMARY})
  unset(ENV{GITHUB_ACTIONS})
  unset(ENV{GITHUB_STEP_SUMMARY})
  if(arg_TARGET STREQUAL "coverage") # which refuses a source that has changed since
    run("SARIF of all kinds" COMMAND ${GPUTEST} report ${results} --source-root ${source} --no-terminal --sarif ${WORK}/all.sarif)
  endif()
  file(GLOB files ${results}/*.sarif)
  run("what GitHub takes" COMMAND ${PYTHON} ${SOURCE_TREE}/tests/report/sarif/schema.py ${WORK}/all.sarif ${files})
endfunction()

file(COPY_FILE ${CASE}/clamp.cl ${source}/clamp.cl)
configure(-DSINCE=main-branch "-DGATES=new-survivors$<SEMICOLON>lost-outcomes$<SEMICOLON>new-findings")
foreach(target IN ITEMS coverage mutation check)
  pull_request("a clean pull request: ${target}" TARGET ${target} SUMMARY "1 of 1 kernel holds")
endforeach()

file(WRITE ${source}/clamp.cl "kernel void clamp(global int* data) {
  int i = get_global_id(0);
  if (data[i] > 2)
    data[i] = 2;
  if (data[i] < -7)
    data[i] = -7;
}
")
pull_request("a regression of coverage" TARGET coverage SUMMARY "new since main-branch"
  STOPPED_BY "error: lost-outcomes: 2 lost outcomes" ANNOTATED "::notice file=clamp.cl,line=5,col=7,title=missing_outcome::")
pull_request("a regression of mutants" TARGET mutation SUMMARY "new since main-branch"
  STOPPED_BY "error: new-survivors: [0-9]+ new survivors" ANNOTATED "::[a-z]+ file=clamp.cl,line=5,")
file(WRITE ${source}/clamp.cl "kernel void clamp(global int* data) {
  int i = get_global_id(0);
  if (data[i] > 2)
    data[0] = i;
  data[1] = data[i];
}
")
pull_request("a regression of checks" TARGET check SUMMARY "new since main-branch"
  STOPPED_BY "error: new-findings: [0-9]+ new finding" ANNOTATED "::error file=clamp.cl,line=5,col=[0-9]+,title=race::kernel 'clamp'")
expect_file(${results}/check.sarif "\"relatedLocations\".*the other access")

# A time limit: what does not get its turn is not run, which is no new survivor.
file(COPY_FILE ${CASE}/clamp.cl ${source}/clamp.cl)
configure(-DSINCE= -DGATES=)
file(REMOVE ${results}/results.db)
run("an hour" COMMAND ${make} --target mutation NO_OUTPUT "not run: the time limit")
run("no time" COMMAND ${CMAKE_COMMAND} -E env GPUTEST_TIME_LIMIT=1ms ${make} --target schedules OUTPUT "orders not run: the time limit was over")
file(REMOVE ${results}/results.db)
run("no time" COMMAND ${CMAKE_COMMAND} -E env GPUTEST_TIME_LIMIT=1ms ${make} --target mutation
    OUTPUT "[1-9][0-9]* not run: the time limit of 0.001 s" NO_OUTPUT "' survived")
expect_file(${results}/mutation.html "the time limit was over")
run("SARIF says so" COMMAND ${PYTHON} ${SOURCE_TREE}/tests/report/sarif/schema.py ${results}/mutation.sarif)
expect_file(${results}/mutation.sarif "toolExecutionNotifications")
run("no time limit" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_TIME_LIMIT=soon ${make} --target mutation
    OUTPUT "GPUTEST_TIME_LIMIT: 'soon' is not a time above 0, such as 10min")
run("no time at all" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_TIME_LIMIT=0.5ms ${make} --target mutation
    OUTPUT "GPUTEST_TIME_LIMIT: '0.5ms' is not a time above 0, such as 10min")
file(REMOVE ${results}/results.db)
configure(-DLIMIT=1ms)
run("a limit of the project" COMMAND ${make} --target mutation OUTPUT "[1-9][0-9]* not run: the time limit of 0.001 s")

# SINCE, and one run without it.
configure(-DLIMIT= -DMUTATION_SINCE=main-branch)
run("no line has changed" COMMAND ${make} --target mutation OUTPUT " 0 mutants, 2 test cases; of lines changed since main-branch")
run("all lines" COMMAND ${CMAKE_COMMAND} -E env GPUTEST_SINCE=none ${make} --target mutation OUTPUT "[1-9][0-9] mutants, 2 test cases"
    NO_OUTPUT "of lines changed since")
run("no commit" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_SINCE=nothing ${make} --target mutation OUTPUT "has no such commit, branch or tag")
