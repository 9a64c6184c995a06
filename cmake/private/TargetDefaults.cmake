include_guard(GLOBAL)

option(GPUTEST_WARNINGS_AS_ERRORS "Treat compiler warnings in GpuTestCheck's own code as errors" OFF)

# gputest_target_defaults(<target>): language level, include root and warnings of our own targets.
function(gputest_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                           $<$<BOOL:${GPUTEST_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()
