# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs manual pages, made of the output of --help, and completion for shells.
install(FILES ${PROJECT_SOURCE_DIR}/driver/completion/gputest.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gputest)
install(FILES ${PROJECT_SOURCE_DIR}/driver/completion/_gputest
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/driver/completion/gputest.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(CODE "
  set(gputest \"$<TARGET_FILE:GpuTestCheck::gputest>\")
  if(IS_ABSOLUTE ${CMAKE_INSTALL_MANDIR})
    set(folder \"\$ENV{DESTDIR}${CMAKE_INSTALL_MANDIR}/man1\")
  else()
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
  endif()
  include(\"${CMAKE_CURRENT_LIST_DIR}/ManPages.cmake\")
")
