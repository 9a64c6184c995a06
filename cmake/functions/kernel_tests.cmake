# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/discover.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/kernel_keywords.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/umbrella_target.cmake)

# gputest_private_resources(<variable> <device>)
#
# The test properties for what a test takes of a machine (ctest --resource-spec-file). A device that
# DEVICE names, other than by its type, is no resource.
function(gputest_private_resources variable device)
  set(resource_of_ gpus:1)
  set(resource_of_gpu gpus:1)
  set(resource_of_cpu cpus:1)
  set(resource_of_accelerator accelerators:1)
  string(TOLOWER "${device}" device)
  set(${variable} "" PARENT_SCOPE)
  if(device MATCHES "^(gpu|cpu|accelerator|)$")
    set(${variable} RESOURCE_GROUPS ${resource_of_${device}} PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_add_kernel_test(<variable> <context> <name> <target> <analysis> FOLDER <folder>
#   TIMEOUT <s> DEVICE <device, or nothing> [ONE_OF_SEVERAL] [DISCOVER] OPTIONS <options>
#   LABELS <labels>)
#
# Adds the test of an analysis, and those of its shards and, with DISCOVER, of its cases. The result
# is the test's name. ONE_OF_SEVERAL devices has tests and results of its own. OPTIONS are those
# that the host program was made with.
function(gputest_private_add_kernel_test variable context name target analysis)
  cmake_parse_arguments(PARSE_ARGV 5 arg "ONE_OF_SEVERAL;DISCOVER"
                        "FOLDER;TIMEOUT;DEVICE;OPTIONS;LABELS" "")
  set(test ${name}.${analysis})
  set(options "")
  set(result "")
  set(folder "")
  if(arg_ONE_OF_SEVERAL)
    gputest_private_device_folder(part "${arg_DEVICE}")
    string(APPEND test .${part})
    set(options --device "${arg_DEVICE}")
    get_property(file GLOBAL PROPERTY gputest_${analysis}_result)
    set(result --json ${arg_FOLDER}/devices/${part}/${file})
    set(folder FOLDER ${arg_FOLDER}/devices/${part}/shards)
  endif()
  set(${variable} ${test} PARENT_SCOPE)
  set(properties SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
  get_property(device_use GLOBAL PROPERTY gputest_${analysis}_device)
  if(device_use AND NOT arg_OPTIONS MATCHES "--setting=${analysis}[.]no-device")
    gputest_private_resources(resources "${arg_DEVICE}")
    list(APPEND properties ${resources})
  endif()
  set(option "")
  gputest_private_analysis_without_option(without_option)
  if(NOT analysis STREQUAL without_option)
    set(option --${analysis})
  endif()
  add_test(NAME ${test} COMMAND ${target} ${option} ${options} ${result})
  set_tests_properties(${test} PROPERTIES ${properties})
  set_property(TEST ${test} PROPERTY LABELS gputest ${analysis} ${arg_LABELS})
  if(arg_DISCOVER AND analysis STREQUAL without_option)
    gputest_private_discover(${test} ${target} ${arg_TIMEOUT} "gputest;${analysis};${arg_LABELS}"
                             "${options};${result}")
  endif()
  if(arg_OPTIONS MATCHES "--setting=${analysis}[.]shards=([0-9]+)" AND CMAKE_MATCH_1 GREATER 1)
    gputest_private_add_shards(
      ${analysis} "${context}" ${test} ${target} ${CMAKE_MATCH_1} OPTIONS ${options}
      PROPERTIES ${properties} LABELS ${arg_LABELS} ${folder})
  endif()
endfunction()

# gputest_private_analysis_without_option(<variable>)
#
# What a host program does without an option.
function(gputest_private_analysis_without_option variable)
  get_property(analyses GLOBAL PROPERTY gputest_analyses)
  list(GET analyses 0 first)
  set(${variable} ${first} PARENT_SCOPE)
endfunction()

# gputest_private_test_timeout(<variable> <analysis> <seconds for the cases> <options>)
#
# What CTest gives the test of an analysis. The options are those of the host program.
function(gputest_private_test_timeout variable analysis seconds options)
  get_property(is_long GLOBAL PROPERTY gputest_${analysis}_long)
  get_property(time GLOBAL PROPERTY gputest_${analysis}_time)
  if(is_long)
    set(seconds 21600) # its parts have limits of their own, and the store keeps their results
  elseif(time) # a setting, and its default
    list(POP_FRONT time setting more)
    if(options MATCHES "--setting=${analysis}[.]${setting}=([0-9]+)")
      set(more ${CMAKE_MATCH_1})
    endif()
    math(EXPR seconds "${seconds} + ${more}")
  endif()
  set(${variable} ${seconds} PARENT_SCOPE)
endfunction()

# gputest_private_add_kernel_tests(<context> <name> <target> [SIMULATED] [DISCOVER] FOLDER <folder>
#   TIMEOUT <s> DEVICE <device, or nothing> ANALYSES <analyses> DEVICES <devices>
#   OPTIONS <options> LABELS <labels>)
#
# Adds the tests of the analyses. SIMULATED: the kernel runs in the simulator where no device is
# named. OPTIONS are those that the host program was made with. Each list is one argument.
function(gputest_private_add_kernel_tests context name target)
  cmake_parse_arguments(PARSE_ARGV 3 arg "SIMULATED;DISCOVER"
                        "FOLDER;TIMEOUT;DEVICE;ANALYSES;DEVICES;OPTIONS;LABELS" "")
  set(compared "")
  set(discover "")
  if(arg_DISCOVER)
    set(discover DISCOVER)
  endif()
  gputest_private_analysis_without_option(without_option)
  foreach(analysis IN LISTS arg_ANALYSES)
    gputest_private_test_timeout(timeout ${analysis} ${arg_TIMEOUT} "${arg_OPTIONS}")
    if(NOT analysis STREQUAL without_option)
      gputest_private_join_umbrella(${analysis} "${context}" ${name} ${target})
    endif()
    get_property(device_use GLOBAL PROPERTY gputest_${analysis}_device)
    get_property(cuda_way GLOBAL PROPERTY gputest_${analysis}_cuda)
    set(common "${context}" ${name} ${target} ${analysis} ${discover} FOLDER ${arg_FOLDER}
               TIMEOUT ${timeout})
    set(device ${arg_DEVICE} ${arg_DEVICES})
    list(SUBLIST device 0 1 device) # of tests that do not run on each
    if(arg_SIMULATED AND ("${device}" STREQUAL "" OR cuda_way STREQUAL "simulator"))
      set(device simulator) # which takes nothing of the machine
    elseif(DEFINED arg_DEVICES AND device_use STREQUAL "cases")
      foreach(one IN LISTS arg_DEVICES)
        gputest_private_add_kernel_test(test ${common} DEVICE "${one}" ONE_OF_SEVERAL
                                        OPTIONS "${arg_OPTIONS}" LABELS "${arg_LABELS}")
        list(APPEND compared ${test})
      endforeach()
      continue()
    endif()
    gputest_private_add_kernel_test(test ${common} DEVICE ${device}
                                    OPTIONS "${arg_OPTIONS}" LABELS "${arg_LABELS}")
  endforeach()
  if(NOT DEFINED arg_DEVICES)
    return()
  endif()
  set(folders "")
  foreach(device IN LISTS arg_DEVICES)
    gputest_private_device_folder(part "${device}")
    list(APPEND folders ${arg_FOLDER}/devices/${part})
  endforeach()
  gputest_private_command(gputest)
  add_test(NAME ${name}.devices
           COMMAND ${gputest} compare --json ${arg_FOLDER}/devices.json ${folders})
  set_tests_properties(${name}.devices PROPERTIES DEPENDS "${compared}" TIMEOUT 120)
  set_property(TEST ${name}.devices PROPERTY LABELS gputest devices ${arg_LABELS})
endfunction()
