include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

find_program(assembler spirv-as)
find_program(translator NAMES llvm-spirv-19 llvm-spirv-18 llvm-spirv-17 llvm-spirv-16 llvm-spirv-15 llvm-spirv)
if(NOT assembler OR NOT translator)
  message(FATAL_ERROR "skipped: there is no SPIR-V here (apt install spirv-tools llvm-spirv-15)")
endif()
set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)

# The kernel; the same without its barrier; and that with places in a source, and the source itself.
set(modules ${WORK}/modules)
file(READ ${source}/sum.spvasm text)
file(WRITE ${modules}/sum.spvasm "${text}")
string(REGEX REPLACE "\n +OpControlBarrier[^\n]*" "" text "${text}")
file(WRITE ${modules}/racy.spvasm "${text}")
string(REPLACE "OpSource OpenCL_C 102000"
               "%file = OpString \"sum.cl\"\nOpSource OpenCL_C 102000 %file \"kernel of its own\"" text "${text}")
string(REGEX REPLACE "(\n +%right = OpLoad)" "\n OpLine %file 77 5\\1" text "${text}")
file(WRITE ${modules}/placed.spvasm "${text}")
# The store in another block has no line of its own.
set(placed_race "sum.cl:77:5: error: data race on byte [^ ]+ of .part., [^;]* at sum.cl:77:5; nothing orders the two")

string(REPLACE "OpCapability Int64" "OpCapability Int64\n %debug = OpExtInstImport \"OpenCL.DebugInfo.100\"" debugged "${text}")
string(REPLACE "%file = OpString" "%none = OpString \"\"\n%named = OpString \"group_sum\"\n%word = OpString \"int\"\n%file = OpString" debugged "${debugged}")
string(REGEX REPLACE "(\n +%group_sum = OpFunction )"
  "\n%place = OpExtInst %void %debug DebugSource %file %none
%unit = OpExtInst %void %debug DebugCompilationUnit 65536 5 %place OpenCL_C
%types = OpExtInst %void %debug DebugTypeFunction None %void
%scope = OpExtInst %void %debug DebugFunction %named %types %place 70 1 %unit %none FlagIsDefinition 70 %group_sum
%block = OpExtInst %void %debug DebugLexicalBlock %place 71 1 %scope
%bits = OpConstant %uint 32
%int = OpExtInst %void %debug DebugTypeBasic %word %bits Signed
%variable = OpExtInst %void %debug DebugLocalVariable %word %int %place 72 1 %block None
%expression = OpExtInst %void %debug DebugExpression\\1"
  debugged "${debugged}")
string(REGEX REPLACE "( %([a-z]+) = OpLabel)" "\\1\n%scope_\\2 = OpExtInst %void %debug DebugScope %block" debugged "${debugged}")
string(REGEX REPLACE "(\n +%left = OpLoad)"
       "\n%declared = OpExtInst %void %debug DebugDeclare %variable %own %expression\\1" debugged "${debugged}")
foreach(name IN ITEMS sum racy placed)
  run("assemble ${name}" COMMAND ${assembler} --target-env spv1.2 ${modules}/${name}.spvasm -o ${modules}/${name}.spv)
endforeach()

configure(-DMODULES=${modules} -DSECONDS=2)
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("no fault" COMMAND ${test} -V -R "^(sum|same)[.]" OUTPUT "sum.check" "sum.memory" NO_OUTPUT "error: " "sum.coverage")
run("no barrier" FAILS COMMAND ${test} -V -R "^racy.check$" OUTPUT
    "racy.spv:[0-9]+:1: error: data race on byte [0-9]+ of 'part'")
run("an order that shows it" FAILS COMMAND ${test} -V -R "^racy.schedules$" OUTPUT "'sums' differs")
run("places of the source" FAILS COMMAND ${test} -V -R "^placed.check$" OUTPUT "${placed_race}" NO_OUTPUT ":0:0")

run_fuzz("^tried.fuzz$" "racy.spv:[0-9]+:1: ")

# The same with the debug information that Clang makes.
file(WRITE ${modules}/debugged.spvasm "${debugged}")
run("assemble debugged" COMMAND ${assembler} --target-env spv1.2 ${modules}/debugged.spvasm -o ${modules}/placed.spv)
run("build debugged" COMMAND ${CMAKE_COMMAND} --build ${build})
run("places of debug information" FAILS COMMAND ${test} -V -R "^placed.check$" OUTPUT "${placed_race}" NO_OUTPUT ":0:0")

# What needs a source says where it is.
set(gputest ${PREFIX}/bin/gputest)
run("interface" COMMAND ${gputest} describe ${modules}/sum.spv OUTPUT "\"name\": \"factor\"" "\"access\": \"read\"")
run("a relative name" COMMAND ${CMAKE_COMMAND} -E chdir ${modules} ${gputest} describe sum.spv OUTPUT "\"name\": \"factor\"")
run("no mutants" FAILS COMMAND ${gputest} mutants ${modules}/sum.spv OUTPUT
    "sum.spv: error: mutation needs the source of a kernel, and this is SPIR-V; name the file that it is made of")
run("a source inside" FAILS COMMAND ${gputest} mutants ${modules}/placed.spv OUTPUT
    "it embeds its source, which `gputest describe --embedded-source [^`]*placed.spv` prints")
run("the source" COMMAND ${gputest} describe --embedded-source ${modules}/placed.spv OUTPUT "^kernel of its own$")

# Cases by the module's own branches.
run("cases" COMMAND ${gputest} generate ${modules}/sum.spv -o ${WORK}/cases --global-size 16 --local-size 8
    --argument values:size=16 --argument sums:size=2 --argument part:size=8 OUTPUT "group_sum: 6 of 6 outcomes reached")
run("no mutants for cases" FAILS COMMAND ${gputest} generate ${modules}/sum.spv -o ${WORK}/none --mutants OUTPUT
    "sum.spv: error: mutants are made of a source, and this is SPIR-V; name the file that it is made of")
file(WRITE ${WORK}/racy.json "{\"name\": \"racy\", \"global_size\": [16], \"local_size\": [8], \"arguments\":
  {\"values\": {\"size\": 16}, \"sums\": [0, 1], \"part\": {\"size\": 8}, \"factor\": 1}}")
run("an input that fails" FAILS COMMAND ${gputest} fuzz ${modules}/racy.spv -o ${WORK}/fuzz --replay ${WORK}/racy.json
    OUTPUT "racy.spv:[0-9]+:1: ")

execute_process(COMMAND ${test} -V -R "^device.test$" OUTPUT_VARIABLE output)
if(NOT output MATCHES "passed: arguments|no device is called|does not take [^\n]*SPIR-V|no OpenCL device")
  message(FATAL_ERROR "on a device:\n${output}")
endif()

# Without the translator, or with another file, nothing runs.
run("no translator" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_LLVM_SPIRV=/nowhere GPUTEST_CACHE_DIR=${WORK}/none ${test} -V -R "^sum.test$"
    OUTPUT "sum.spv: error: the simulator reads SPIR-V by the program llvm-spirv, which is not there")
file(WRITE ${modules}/sum.spv "no SPIR-V")
run("no module" FAILS COMMAND ${CMAKE_COMMAND} --build ${build} OUTPUT "sum.spv: error: this is no SPIR-V")
