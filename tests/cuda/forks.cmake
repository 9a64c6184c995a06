# cmake -DTOOLKIT=<gputest-cuda's folder> -DGPUTEST=<gputest> -DWORK=<folder> -DTOLD=<the link options of its
# users> [-DNVCC=<nvcc>] -P forks.cmake
#
# Mutants of programs for a GPU in forks, whose calls another process makes: each has the verdict that it has in a
# process of its own, and programs that cannot be run so are told why. The GPU is the simulator. With NVCC: the forks
# of a program that NVIDIA's tools have built do not open the driver.
cmake_minimum_required(VERSION 3.25)
if(DEFINED NVCC AND NOT EXISTS "${NVCC}")
  message("skipped: there is no nvcc")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/copies.cmake)
set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
set(sources ${CMAKE_CURRENT_LIST_DIR}/forks)
set(library ${TOOLKIT}/lib64/libgputest_cuda_gpu.a)

if(DEFINED NVCC)
  execute_process(COMMAND ${NVCC} -std=c++20 -arch=sm_90 -I${root} -o ${WORK}/without_driver ${sources}/without_driver.cu
                          ${library} -Xlinker ${wrapped} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/without_driver COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

# The target tells the linker what the library wraps.
set(told ${TOLD})
list(TRANSFORM told REPLACE "^LINKER:--wrap=" "")
foreach(list IN ITEMS told functions)
  list(SORT ${list})
endforeach()
if(NOT functions STREQUAL told)
  message(FATAL_ERROR "the library wraps ${functions}\nand the linker is told ${told}")
endif()
# Each is called by a program here.
file(READ ${sources}/calls.cu all)
file(READ ${sources}/memory.cu more)
string(APPEND all "${more}")
foreach(name IN LISTS functions)
  if(NOT name MATCHES "^__|^(main|dlopen)$|_v2$|_ptsz$" AND NOT all MATCHES "${name}\\(")
    message(FATAL_ERROR "no program of ${sources} calls ${name}")
  endif()
endforeach()

# build(<name> [<source> [<library>]])
function(build name)
  set(source ${sources}/${name}.cu)
  if(ARGC GREATER 1)
    set(source ${ARGV1})
  endif()
  execute_process(
    COMMAND ${TOOLKIT}/bin/gputest-cuda-launcher --variant=mutants --folder=${WORK}/made --source-root=${root}
            --compiler=${TOOLKIT}/bin/gputest-cuda --toolkit=${TOOLKIT} -- ${TOOLKIT}/bin/gputest-cuda -std=c++17 -O1 -c
            ${source} -o ${WORK}/${name}.o COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${TOOLKIT}/bin/gputest-cuda -o ${WORK}/${name} ${WORK}/${name}.o ${ARGV2} ${library} -Xlinker
                          ${wrapped},-u,main COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# verdicts(<variable> <name> <option>... -- <command>...): in order, and `output`.
function(verdicts variable name)
  file(REMOVE_RECURSE ${WORK}/results)
  execute_process(COMMAND ${GPUTEST} run-cuda --mutation --device gpu --source-root ${root} -o ${WORK}/results ${ARGN}
                  TIMEOUT 900 RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0 OR NOT EXISTS ${WORK}/results/mutation.json)
    message(FATAL_ERROR "${name}: ${code}\n${output}")
  endif()
  file(READ ${WORK}/results/mutation.json json)
  string(REGEX MATCHALL "\"(id|status|statusReason)\": ?\"[^\"]*\"" all "${json}")
  set(${variable} "${all}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# compare(<name> [<option>...]): it runs in forks, and `forks` are the verdicts.
function(compare name)
  verdicts(forks ${name} ${ARGN} -- ${WORK}/${name})
  set(told "${output}")
  verdicts(whole ${name} --whole-runs ${ARGN} -- ${WORK}/${name})
  if(NOT forks STREQUAL whole OR NOT forks MATCHES "Killed")
    message(FATAL_ERROR "${name}: in forks\n${forks}\nin processes of their own\n${whole}")
  endif()
  if("${told}${output}" MATCHES "process of its own")
    message(FATAL_ERROR "${name}: '${told}' and '${output}'")
  endif()
  set(forks "${forks}" PARENT_SCOPE)
endfunction()

# refused(<name> <why, a regular expression>): it runs in processes of their own.
function(refused name why)
  verdicts(all ${name} --setting mutation.sample=3 -- ${WORK}/${name})
  if(NOT output MATCHES "${name}: a process of its own for each mutant: ${why}" OR NOT all MATCHES "Killed|Survived")
    message(FATAL_ERROR "${name}: '${output}', and not '${why}': ${all}")
  endif()
endfunction()

foreach(name IN ITEMS calls memory faults killing early lasting allocating volumes reading)
  build(${name})
endforeach()
set(samples 10 5 5)
if(DEFINED ENV{GPUTEST_LONG_TESTS})
  set(samples 25 8 10)
endif()
list(POP_FRONT samples of_calls of_memory of_script)
compare(calls --setting mutation.sample=${of_calls})
compare(memory --setting mutation.sample=${of_memory})
compare(faults)
foreach(reason IN ITEMS "exit code 1" SIGABRT "a loop had not ended")
  if(NOT forks MATCHES "${reason}")
    message(FATAL_ERROR "faults: no mutant ends with '${reason}': ${forks}")
  endif()
endforeach()
# What the program reads back judges. It reads what 8 of its 9 kernels write, each in another way.
compare(reading --operators constant_replacement --oracle reads)
string(REGEX MATCHALL "the [0-9]+[a-z]+ of [0-9]+ pieces that it reads back differ" differing "${forks}")
list(REMOVE_DUPLICATES differing)
list(LENGTH differing ways)
string(REGEX MATCHALL "Survived" survived "${forks}")
list(LENGTH survived unread)
if(NOT ways EQUAL 8 OR NOT unread EQUAL 2)
  message(FATAL_ERROR "reading: ${ways} pieces differ, and ${unread} mutants survive, not the 2 of unread():\n${forks}")
endif()
refused(early "the program uses the GPU before main")
refused(lasting "the program has the static variable 'next' in count")
refused(allocating "the program has memory that build.. allocates")
refused(volumes "a function of CUDA's that only a process with the GPU can call")
set(ENV{KILL} parent)
refused(killing "it has ended by itself")
set(ENV{KILL} server)
refused(killing "the process with the GPU has ended")

# Another program runs it, whose verdict counts.
file(WRITE ${WORK}/script.sh "${WORK}/calls || exit 5\n")
verdicts(script script --setting mutation.sample=${of_script} -- sh ${WORK}/script.sh)
if(NOT output MATCHES "each mutant: another program runs it" OR NOT script MATCHES "exit code 5")
  message(FATAL_ERROR "a script: ${output}\n${script}")
endif()

# main() is in a library that comes before ours, and that nothing else needs.
file(WRITE ${WORK}/main.cpp "int run();\nint main() { return run(); }\n")
file(READ ${sources}/faults.cu text)
string(REPLACE "int main()" "int run()" text "${text}")
file(WRITE ${WORK}/in_library.cu "${text}")
execute_process(COMMAND ${TOOLKIT}/bin/gputest-cuda -c ${WORK}/main.cpp -o ${WORK}/main.o COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E rm -f ${WORK}/libmain.a)
execute_process(COMMAND ${AR} rc ${WORK}/libmain.a ${WORK}/main.o COMMAND_ERROR_IS_FATAL ANY)
build(in_library ${WORK}/in_library.cu ${WORK}/libmain.a)
verdicts(all in_library -- ${WORK}/in_library)
if(output MATCHES "process of its own" OR NOT all MATCHES "Killed")
  message(FATAL_ERROR "main() in a library: ${output}")
endif()
