# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the manual pages of all commands of ${gputest} to ${folder}.
execute_process(COMMAND ${gputest} help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z-]+" lines "${help}")
foreach(line IN LISTS lines ITEMS "")
  string(STRIP "${line}" command)
  string(JOIN "-" name gputest ${command})
  execute_process(COMMAND ${gputest} help --man ${command} OUTPUT_VARIABLE page
                  COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${folder}/${name}.1" "${page}")
endforeach()
