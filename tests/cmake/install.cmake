# cmake -DBUILD=… -DCONFIG=… -DPREFIX=… -P install.cmake
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.first)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix ${PREFIX}.first
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${PREFIX}.first ${PREFIX})

# The fixture of other tests ends here; what people look for is there, too.
foreach(file IN ITEMS share/man/man1/gputest.1 share/man/man1/gputest-report.1
                      share/bash-completion/completions/gputest share/zsh/site-functions/_gputest
                      share/fish/vendor_completions.d/gputest.fish
                      share/doc/gputestcheck/copyright share/doc/gputestcheck/NOTICE)
  if(NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
