# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_own_languages(<variable>)
#
# The project's languages whose compiler is gputest-cuda. C++ is one if hipcc compiles it, which
# gives sources of C++ to gputest-cuda.
function(gputest_private_own_languages variable)
  set(own "")
  foreach(language IN ITEMS CUDA HIP CXX)
    get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
    get_filename_component(folder "${CMAKE_${language}_COMPILER}" DIRECTORY)
    if(name STREQUAL "gputest-cuda" OR (name STREQUAL "hipcc" AND EXISTS "${folder}/gputest-cuda"))
      list(APPEND own ${language})
    endif()
  endforeach()
  set(${variable} "${own}" PARENT_SCOPE)
endfunction()

# gputest_private_cuda_variant(<variant> <target> <results folder>)
#
# Has gputest-cuda compile the CUDA sources of the target, and of the project's libraries that it
# links, with that variant of their device code beside the original. A program chooses one of them
# when it starts. Does nothing with other compilers.
#
# For a GPU (`device`), makes a copy of the target instead (cuda_copies.cmake).
function(gputest_private_cuda_variant variant target results_dir device)
  if(device STREQUAL "gpu")
    gputest_private_name_copy(ignored ${variant} ${target})
    cmake_language(EVAL CODE "
      cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL gputest_private_copy_target
                     ignored [[${variant}]] [[${target}]] [[${results_dir}]])")
    return()
  endif()
  gputest_private_own_languages(own)
  if(NOT own)
    return()
  endif()
  # The list of linked targets is complete only when CMake has read the whole project.
  cmake_language(EVAL CODE "
    cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL gputest_private_compile_variant
                   [[${variant}]] [[${target}]] [[${results_dir}]])")
endfunction()

# gputest_private_linked_targets(<variable> <target>)
#
# The target and all of the project's that it links, directly or through others.
function(gputest_private_linked_targets variable target)
  set(waiting "${target}")
  set(seen "")
  while(waiting)
    list(POP_FRONT waiting one)
    string(REGEX REPLACE "^\\$<[A-Z_]+:([^<>$]+)>$" "\\1" one "${one}")
    if(NOT TARGET "${one}")
      continue()
    endif()
    get_target_property(aliased ${one} ALIASED_TARGET)
    if(aliased)
      set(one ${aliased})
    endif()
    get_target_property(imported ${one} IMPORTED)
    if(imported OR one IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${one})
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES)
      get_target_property(linked ${one} ${property})
      if(property STREQUAL "SOURCES") # a library of objects
        list(FILTER linked INCLUDE REGEX "TARGET_OBJECTS")
      endif()
      if(linked)
        list(APPEND waiting ${linked})
      endif()
    endforeach()
  endwhile()
  set(${variable} "${seen}" PARENT_SCOPE)
endfunction()

# gputest_private_is_cuda_target(<variable> <target>)
#
# Whether the target, or one of the project's that it links, has sources of CUDA or HIP by now.
function(gputest_private_is_cuda_target variable target)
  set(${variable} FALSE PARENT_SCOPE)
  gputest_private_own_languages(own)
  if(NOT CMAKE_CUDA_COMPILER AND NOT own)
    return()
  endif()
  gputest_private_linked_targets(linked ${target})
  foreach(one IN LISTS linked)
    get_target_property(sources ${one} SOURCES)
    get_target_property(folder ${one} SOURCE_DIR)
    foreach(source IN LISTS sources)
      get_property(language SOURCE "${source}" DIRECTORY "${folder}" PROPERTY LANGUAGE)
      if(source MATCHES "[.](cu|hip)$" OR language MATCHES "^(CUDA|HIP)$" OR "CXX" IN_LIST own)
        set(${variable} TRUE PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

function(gputest_private_compile_variant variant target results_dir)
  gputest_private_linked_targets(linked ${target})
  gputest_private_own_languages(own)
  list(JOIN own "," own)
  foreach(one IN LISTS linked)
    get_target_property(type ${one} TYPE)
    get_property(made TARGET ${one} PROPERTY GPUTEST_CUDA_VARIANTS)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$"
       AND NOT variant IN_LIST made)
      set_property(TARGET ${one} APPEND PROPERTY GPUTEST_CUDA_VARIANTS ${variant})
      target_compile_options(
        ${one} PRIVATE "$<$<COMPILE_LANGUAGE:${own}>:--gputest-variant=${variant}>"
                       "$<$<COMPILE_LANGUAGE:${own}>:--gputest-folder=${results_dir}/cuda>"
                       "$<$<COMPILE_LANGUAGE:${own}>:--gputest-source-root=${CMAKE_SOURCE_DIR}>")
    endif()
  endforeach()
endfunction()
