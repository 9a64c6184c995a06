# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cuda_copies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cuda_variant.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/oracle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/program_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/umbrella_target.cmake)

# gputest_private_program_keywords(<single> <multiple>)
#
# The keywords of gputest_add_program(): those with one value, and those with several. Functions
# that take "the words of a program" parse them with these lists.
function(gputest_private_program_keywords single_variable multiple_variable)
  gputest_private_analyses()
  get_property(analyses GLOBAL PROPERTY gputest_keywords)
  set(${single_variable} TARGET DEVICE WARP_SIZE WORKING_DIRECTORY TIMEOUT PARENT_SCOPE)
  set(${multiple_variable} COMMAND ARGS KERNELS EXCLUDE ${analyses} ORACLE LABELS PARENT_SCOPE)
endfunction()

# gputest_private_check_program_keywords(<context> <given words> <unexpected> <missing>)
#
# Refuses keywords as gputest_private_check_keywords() does. Analyses and ORACLE may stand without
# values.
function(gputest_private_check_program_keywords context given unexpected missing)
  gputest_private_program_keywords(single multiple)
  get_property(bare GLOBAL PROPERTY gputest_keywords)
  list(REMOVE_ITEM missing ${bare} ORACLE)
  gputest_private_check_keywords("${context}" "${single};${multiple}" "${given}" "${unexpected}"
                                 "${missing}")
endfunction()

# gputest_private_check_target(<context> <target, or nothing>)
#
# Whether there is a target of that name.
function(gputest_private_check_target context target)
  if(NOT target STREQUAL "" AND NOT TARGET "${target}")
    message(FATAL_ERROR "${context}TARGET: there is no target '${target}': add_executable() it "
                        "before")
  endif()
endfunction()

# gputest_private_check_opencl_program(<context> <word>…)
#
# Refuses words of a program that do not go together, or are not for OpenCL programs.
function(gputest_private_check_opencl_program context)
  gputest_private_program_keywords(single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  if(DEFINED arg_ARGS AND NOT DEFINED arg_TARGET)
    message(FATAL_ERROR "${context}ARGS is for TARGET: COMMAND has its arguments behind the "
                        "program")
  endif()
  if(DEFINED arg_DEVICE)
    message(FATAL_ERROR "${context}DEVICE is for CUDA programs: an OpenCL program chooses its "
                        "device itself")
  endif()
  if(DEFINED arg_WARP_SIZE)
    message(FATAL_ERROR "${context}WARP_SIZE is for CUDA programs: sub-groups of OpenCL have "
                        "the size of the environment variable GPUTEST_SUB_GROUP_SIZE")
  endif()
  if(arg_MEMORY MATCHES "(^|;)CACHES;warm(;|$)")
    message(FATAL_ERROR "${context}MEMORY CACHES warm is for CUDA and HIP: launches of OpenCL "
                        "programs are kept as test cases, which no launch comes before")
  endif()
endfunction()

# gputest_private_check_cuda_program(<context> <analyses> <word>…)
#
# Refuses words of a program that are not for CUDA programs, or not for the device that they name.
function(gputest_private_check_cuda_program context analyses)
  gputest_private_program_keywords(single multiple)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "${single}" "${multiple}")
  if(NOT DEFINED arg_TARGET)
    message(FATAL_ERROR "${context}TARGET is missing: name the executable target of your program "
                        "of CUDA or HIP")
  endif()
  foreach(keyword IN ITEMS KERNELS EXCLUDE)
    if(DEFINED arg_${keyword})
      message(FATAL_ERROR "${context}${keyword} is for OpenCL programs, and ${arg_TARGET} is a "
                          "CUDA program: leave it out")
    endif()
  endforeach()
  if(DEFINED arg_DEVICE AND NOT arg_DEVICE MATCHES "^(simulator|gpu)$")
    message(FATAL_ERROR "${context}DEVICE: '${arg_DEVICE}' is not known: give simulator or gpu")
  endif()
  gputest_private_cuda_device(device ways "${arg_DEVICE}")
  gputest_private_check_warp_size("${context}" "${arg_WARP_SIZE}" ${device})
  if(arg_SCHEDULES MATCHES "(^|;)(first|serial)(;|$)")
    message(FATAL_ERROR "${context}SCHEDULES STRATEGY ${CMAKE_MATCH_2} is for OpenCL: in the "
                        "simulator the blocks of CUDA programs run one after the other; give "
                        "permute, reverse or all")
  endif()
  if(TIME_LIMIT IN_LIST arg_SCHEDULES)
    message(FATAL_ERROR "${context}SCHEDULES TIME_LIMIT is for OpenCL programs: all orders of a "
                        "CUDA program are tried in one run, which TIMEOUT limits")
  endif()
  foreach(analysis IN LISTS analyses)
    get_property(way GLOBAL PROPERTY gputest_${analysis}_cuda)
    get_property(of_kernels GLOBAL PROPERTY gputest_${analysis}_of_kernels)
    if(NOT way AND NOT of_kernels)
      string(TOUPPER ${analysis} keyword)
      message(FATAL_ERROR "${context}${keyword} is for OpenCL programs, and ${arg_TARGET} is a "
                          "CUDA program: leave it out")
    endif()
  endforeach()
  if(NOT arg_DEVICE STREQUAL "gpu")
    return() # where a GPU is only the default, tests that need the simulator are skipped
  endif()
  foreach(analysis IN LISTS analyses)
    string(TOUPPER ${analysis} keyword)
    get_property(way GLOBAL PROPERTY gputest_${analysis}_cuda)
    get_property(only GLOBAL PROPERTY gputest_${analysis}_cuda_only)
    set(refused "")
    if(way STREQUAL "simulator")
      set(refused ${keyword})
    endif()
    foreach(setting IN LISTS only)
      if(setting IN_LIST arg_${keyword})
        set(refused "${keyword} ${setting}")
      endif()
    endforeach()
    if(refused)
      message(FATAL_ERROR "${context}${refused} needs DEVICE simulator: a GPU cannot do it")
    endif()
  endforeach()
endfunction()

# gputest_private_cuda_device(<variable> <variable of ways> <value of DEVICE, or nothing>)
#
# Where CUDA programs of this project run, simulator or gpu, and which ways of measuring them there
# are: "simulator" alone where the compiler is AMD's, because nobody measures programs on its GPUs.
function(gputest_private_cuda_device variable ways_variable given)
  gputest_private_own_languages(own)
  set(device gpu)
  set(ways "")
  if(own OR NOT (CMAKE_CUDA_COMPILER OR CMAKE_HIP_COMPILER))
    set(device simulator)
  elseif(NOT CMAKE_CUDA_COMPILER)
    set(ways simulator)
  endif()
  if(given)
    set(device ${given})
  endif()
  set(${variable} ${device} PARENT_SCOPE)
  set(${ways_variable} "${ways}" PARENT_SCOPE)
endfunction()

# gputest_private_cuda_runner(<runner variable> <program variable> <analysis> <target>
#   <value of DEVICE, or nothing>)
#
# How a CUDA program is measured: the command in front of its command line, and the target of the
# program, which may be a copy. The variants of its device code that this needs are made with it.
# The command says "skipped: …", and ends there, where the program cannot be measured.
function(gputest_private_cuda_runner runner_variable program_variable analysis target given)
  gputest_private_cuda_device(device ways "${given}")
  get_property(way GLOBAL PROPERTY gputest_${analysis}_cuda)
  set(toolchain gputest-cuda.cmake)
  if(ways)
    set(way ${ways})
    set(toolchain gputest-hip.cmake)
  endif()
  set(${program_variable} "${target}" PARENT_SCOPE)
  if(device STREQUAL "gpu" AND way STREQUAL "simulator")
    string(TOUPPER ${analysis} keyword)
    set(${runner_variable}
        ${CMAKE_COMMAND} -E echo "skipped: this build is for a GPU, and ${keyword} needs the \
simulator (cmake --toolchain ${toolchain})" PARENT_SCOPE)
    return()
  endif()
  if(NOT way STREQUAL "simulator")
    gputest_private_results_dir(results_dir)
    gputest_private_cuda_variant(${way} "${target}" "${results_dir}" ${device})
  endif()
  if(device STREQUAL "gpu")
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    set(${program_variable} ${target}.gputest_${way} PARENT_SCOPE)
  endif()
  gputest_private_command(gputest)
  set(${runner_variable} ${gputest} run-cuda PARENT_SCOPE)
endfunction()

# gputest_private_program_folder(<variable> <value of WORKING_DIRECTORY, or nothing>)
function(gputest_private_program_folder variable folder)
  if(folder STREQUAL "")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  elseif(NOT folder MATCHES "^\\$<")
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  endif()
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

# gputest_private_add_program(<context> <kind: opencl or cuda> <analyses> <name> <word>…)
#
# Adds the tests of a program: one for each of the analyses. The words are those of a program.
function(gputest_private_add_program context kind analyses name)
  gputest_private_program_keywords(single multiple)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 4 given "" "" "")
  set(words "${given_UNPARSED_ARGUMENTS}")
  if(kind STREQUAL "cuda")
    gputest_private_check_cuda_program("${context}" "${analyses}" ${words})
    set(place cuda)
  else()
    gputest_private_check_opencl_program("${context}" ${words})
    set(place program)
  endif()
  if(DEFINED arg_TARGET)
    set(arg_COMMAND "${arg_TARGET};${arg_ARGS}")
  endif()
  gputest_private_program_command(command target "${context}" "${arg_COMMAND}")
  gputest_private_timeout(timeout "${context}" "${arg_TIMEOUT}")
  set(has_oracle FALSE)
  if("ORACLE" IN_LIST words)
    set(has_oracle TRUE)
  endif()
  gputest_private_oracle(oracle "${context}" ${has_oracle} "${arg_ORACLE}")
  foreach(analysis IN LISTS analyses)
    string(TOUPPER ${analysis} keyword)
    gputest_private_settings(settings_of_${analysis} "${context}" ${place} ${analysis}
                             "${arg_${keyword}}")
  endforeach()
  gputest_private_find_files(kernels "${context}" KERNELS "${arg_KERNELS}")
  list(TRANSFORM kernels PREPEND "--kernels=")
  list(TRANSFORM arg_EXCLUDE PREPEND "--exclude=")
  gputest_private_program_folder(folder "${arg_WORKING_DIRECTORY}")
  gputest_private_wants_checked_tests(wanted "${context}")
  if(NOT wanted)
    return()
  endif()

  gputest_private_results_dir(results_dir)
  gputest_private_command(gputest)
  set(common --source-root ${CMAKE_SOURCE_DIR} --timeout ${timeout})
  if(kind STREQUAL "cuda")
    gputest_private_cuda_device(device ignored "${arg_DEVICE}")
    list(APPEND common --device ${device})
    if(DEFINED arg_WARP_SIZE)
      list(APPEND common --warp-size ${arg_WARP_SIZE})
    endif()
  else()
    list(APPEND common --cache ${results_dir}/cache)
  endif()
  foreach(analysis IN LISTS analyses)
    set(test ${name}.${analysis})
    set(runner ${gputest} run)
    if(kind STREQUAL "cuda")
      gputest_private_cuda_runner(runner copy ${analysis} ${target} "${arg_DEVICE}")
      gputest_private_program_command(command ignored "${context}" "${copy};${arg_ARGS}")
    endif()
    # The command's own limit comes before CTest's, because the command can say what happened.
    # Coverage compares with runs without instrumentation. All others are many runs, whose results
    # are kept.
    get_property(always GLOBAL PROPERTY gputest_${analysis}_always)
    set(seconds 21600)
    if(always)
      string(REGEX REPLACE "[.eE].*$" "" seconds "0${timeout}")
      math(EXPR seconds "5 * (${seconds} + 1) + 300")
    endif()
    get_property(has_store GLOBAL PROPERTY gputest_${analysis}_store)
    set(store "")
    if(has_store AND kind STREQUAL "opencl") # one for the whole project
      set(store --store ${results_dir}/results.db)
    endif()
    set(arguments "${oracle};${kernels};${arg_EXCLUDE};--;${command}")
    if(runner MATCHES "skipped:")
      add_test(NAME ${test} COMMAND ${runner})
      set_property(TEST ${test} PROPERTY SKIP_REGULAR_EXPRESSION "^skipped: ")
    else()
      add_test(
        NAME ${test}
        COMMAND ${runner} --${analysis} ${settings_of_${analysis}} ${store}
                --output ${results_dir}/${name} --name ${name} ${common} ${arguments}
        WORKING_DIRECTORY "${folder}")
    endif()
    set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77
                                            RESOURCE_LOCK gputest.${name}) # they share a folder
    gputest_private_python_module(${test})
    set_property(TEST ${test} PROPERTY LABELS gputest ${analysis} ${arg_LABELS})
    gputest_private_join_umbrella(${analysis} "${context}" ${name} "${target}")
    if(NOT runner MATCHES "skipped:")
      gputest_private_add_program_shards(
        ${analysis} "${context}" ${name} "${target}" SETTINGS ${settings_of_${analysis}}
        COMMAND ${runner} OPTIONS ${common} ARGUMENTS ${arguments}
        FOLDER "${folder}" TIMEOUT ${seconds} LABELS ${arg_LABELS})
    endif()
    if(kind STREQUAL "opencl" AND TARGET gputest_layer) # of this build: the command loads it
      string(TOUPPER ${analysis} upper_name)
      get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_name}_TARGET)
      add_dependencies(${umbrella} gputest_layer gputest-simulator)
    endif()
    if(analysis STREQUAL "memory" AND TARGET gputest-memory)
      get_property(umbrella GLOBAL PROPERTY GPUTEST_MEMORY_TARGET)
      add_dependencies(${umbrella} gputest-memory)
    endif()
  endforeach()
endfunction()
