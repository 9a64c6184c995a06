# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies of targets. The user's own compiler compiles their CUDA sources with instrumented device
# code, because gputest-cuda-launcher gives it a copy of each source. The target itself does not
# change. Beside it is `<target>.gputest_<variant>`, which is linked with such copies of those of
# the project's libraries that have CUDA sources.

# gputest_private_copied_properties(<variable>): what a copy takes from its target.
function(gputest_private_copied_properties variable)
  set(properties
      LINK_OPTIONS LINK_DIRECTORIES LINK_FLAGS CUDA_ARCHITECTURES CUDA_SEPARABLE_COMPILATION
      CUDA_RESOLVE_DEVICE_SYMBOLS CUDA_RUNTIME_LIBRARY POSITION_INDEPENDENT_CODE
      INTERPROCEDURAL_OPTIMIZATION PRECOMPILE_HEADERS AUTOMOC AUTOUIC AUTORCC
      VISIBILITY_INLINES_HIDDEN DEFINE_SYMBOL LINKER_LANGUAGE ENABLE_EXPORTS BUILD_RPATH
      BUILD_WITH_INSTALL_RPATH INSTALL_RPATH WIN32_EXECUTABLE INTERFACE_LINK_OPTIONS
      INTERFACE_LINK_DIRECTORIES)
  foreach(of IN ITEMS "" INTERFACE_)
    list(APPEND properties
         ${of}COMPILE_DEFINITIONS ${of}COMPILE_FEATURES ${of}COMPILE_OPTIONS
         ${of}INCLUDE_DIRECTORIES ${of}SYSTEM_INCLUDE_DIRECTORIES)
  endforeach()
  foreach(language IN ITEMS C CXX CUDA)
    list(APPEND properties ${language}_STANDARD ${language}_EXTENSIONS
         ${language}_STANDARD_REQUIRED ${language}_VISIBILITY_PRESET)
  endforeach()
  set(${variable} ${properties} PARENT_SCOPE)
endfunction()

# gputest_private_name_copy(<variable> <variant> <target>)
#
# The name of the target's copy. If there is none yet, makes an empty one. A target that needs no
# copy keeps its own name. CMake looks up the libraries of a copy in the folder that calls this
# first.
function(gputest_private_name_copy variable variant target)
  set(${variable} "${target}" PARENT_SCOPE)
  if(NOT TARGET "${target}")
    return()
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT|INTERFACE)_LIBRARY)$")
    return()
  endif()
  if(NOT type STREQUAL "EXECUTABLE")
    gputest_private_has_cuda(needed ${target})
    if(NOT needed)
      return()
    endif()
  endif()
  set(copy ${target}.gputest_${variant})
  set(${variable} ${copy} PARENT_SCOPE)
  if(TARGET ${copy})
    return()
  endif()
  if(type STREQUAL "EXECUTABLE")
    add_executable(${copy})
  else()
    string(REPLACE "_LIBRARY" "" kind ${type})
    add_library(${copy} ${kind})
  endif()
  set_property(TARGET ${copy} PROPERTY GPUTEST_COPY_OF ${target})
endfunction()

# Whether the target, or one that it links, has CUDA sources.
function(gputest_private_has_cuda variable target)
  set(${variable} FALSE PARENT_SCOPE)
  gputest_private_linked_targets(linked ${target})
  foreach(one IN LISTS linked)
    get_target_property(sources ${one} SOURCES)
    foreach(source IN LISTS sources)
      if(source MATCHES "^\\$<TARGET_OBJECTS:")
        continue() # its library is among those that are linked
      endif()
      set(language NOTFOUND)
      if(NOT source MATCHES "^\\$<")
        get_source_file_property(language "${source}" TARGET_DIRECTORY ${one} LANGUAGE)
      endif()
      if(language STREQUAL "CUDA" OR (NOT language AND source MATCHES "[.]cu($|[^A-Za-z0-9_])"))
        set(${variable} TRUE PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

# gputest_private_copy_target(<variable> <variant> <target> <results folder>)
#
# The name of the target's copy, which this function also fills.
function(gputest_private_copy_target variable variant target results_dir)
  gputest_private_name_copy(copy ${variant} "${target}")
  set(${variable} "${copy}" PARENT_SCOPE)
  if(copy STREQUAL target)
    return()
  endif()
  get_target_property(target ${copy} GPUTEST_COPY_OF)
  get_target_property(type ${target} TYPE)
  get_target_property(filled ${copy} GPUTEST_IS_FILLED)
  if(filled)
    return()
  endif()
  set_property(TARGET ${copy} PROPERTY GPUTEST_IS_FILLED TRUE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    gputest_private_copy_sources(${copy} ${variant} ${target} "${results_dir}")
  endif()
  gputest_private_copied_properties(properties)
  foreach(property IN LISTS properties)
    get_property(has TARGET ${target} PROPERTY ${property} SET)
    if(has)
      get_property(value TARGET ${target} PROPERTY ${property})
      set_property(TARGET ${copy} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_property(linked TARGET ${target} PROPERTY ${property})
    set(copied "")
    set(elsewhere FALSE)
    foreach(one IN LISTS linked)
      if(one MATCHES "^::@") # names up to the next are looked up there; alone: in the target's
        string(COMPARE NOTEQUAL "${one}" "::@" elsewhere)
      elseif(NOT elsewhere)
        gputest_private_check_visible(${copy} ${target} "${one}")
      endif()
      if(one MATCHES "^(\\$<[A-Z_]+:)([^<>$]+)>$")
        set(before "${CMAKE_MATCH_1}")
        gputest_private_copy_target(name ${variant} "${CMAKE_MATCH_2}" "${results_dir}")
        list(APPEND copied "${before}${name}>")
      else()
        # This is `::@…`, too, which says where names are looked up.
        gputest_private_copy_target(name ${variant} "${one}" "${results_dir}")
        list(APPEND copied "${name}")
      endif()
    endforeach()
    if(copied)
      set_property(TARGET ${copy} PROPERTY ${property} "${copied}")
    endif()
  endforeach()
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    gputest_private_instrument_copy(${copy} ${variant} ${target} ${type} "${results_dir}")
  endif()
endfunction()

# An imported target is known in the folder that has found its package, and below. The copy may be
# made in another folder.
function(gputest_private_check_visible copy target linked)
  string(REGEX REPLACE "^\\$<[A-Z_]+:(.*)>$" "\\1" name "${linked}")
  if(TARGET "${name}" OR NOT name MATCHES "^[^<>$]+::[^<>$]+$")
    return()
  endif()
  get_target_property(here ${copy} SOURCE_DIR)
  get_target_property(there ${target} SOURCE_DIR)
  set(folder "${here}")
  while(folder)
    if(folder STREQUAL there)
      return()
    endif()
    get_property(imported DIRECTORY ${folder} PROPERTY IMPORTED_TARGETS)
    if(name IN_LIST imported)
      return()
    endif()
    get_property(folder DIRECTORY ${folder} PROPERTY PARENT_DIRECTORY)
  endwhile()
  message(FATAL_ERROR "gputest_add_program(): '${target}' links '${name}', which is not known in "
                      "${here}. Call gputest_add_program() in ${there}, or find the package with "
                      "GLOBAL, or set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) before find_package()")
endfunction()

# Gives the copy the sources of the target, by their full names.
function(gputest_private_copy_sources copy variant target results_dir)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<TARGET_OBJECTS:([^<>$]+)>$")
      gputest_private_copy_target(name ${variant} "${CMAKE_MATCH_1}" "${results_dir}")
      target_sources(${copy} PRIVATE "$<TARGET_OBJECTS:${name}>")
      continue()
    endif()
    set(path "${source}")
    if(NOT source MATCHES "^\\$<")
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${folder}" NORMALIZE)
      get_target_property(binary_folder ${target} BINARY_DIR)
      if(NOT EXISTS "${path}" AND NOT IS_ABSOLUTE "${source}" AND NOT folder STREQUAL binary_folder)
        get_source_file_property(generated "${binary_folder}/${source}" TARGET_DIRECTORY ${target}
            GENERATED)
        if(generated)
          set(path "${binary_folder}/${source}")
        endif()
      endif()
      foreach(property IN ITEMS LANGUAGE COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS
                                INCLUDE_DIRECTORIES HEADER_FILE_ONLY EXTERNAL_OBJECT OBJECT_DEPENDS)
        get_source_file_property(value "${path}" TARGET_DIRECTORY ${target} ${property})
        if(value)
          set_property(SOURCE "${path}" TARGET_DIRECTORY ${copy} PROPERTY ${property} "${value}")
        endif()
      endforeach()
    endif()
    target_sources(${copy} PRIVATE "${path}")
  endforeach()
endfunction()

# Has the copy's CUDA sources instrumented, and puts the copy beside the target, because a program
# may look for files beside itself.
function(gputest_private_instrument_copy copy variant target type results_dir)
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher "")
  endif()
  set_property(
    TARGET ${copy}
    PROPERTY CUDA_COMPILER_LAUNCHER
             "$<TARGET_FILE:GpuTestCheck::gputest-cuda-launcher>" --variant=${variant}
             --folder=${results_dir}/cuda
             --source-root=${CMAKE_SOURCE_DIR} --compiler=${CMAKE_CUDA_COMPILER}
             --toolkit=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT} -- ${launcher})
  foreach(kind IN ITEMS RUNTIME LIBRARY ARCHIVE)
    get_property(has TARGET ${target} PROPERTY ${kind}_OUTPUT_DIRECTORY SET)
    if(has)
      get_target_property(folder ${target} ${kind}_OUTPUT_DIRECTORY)
    else()
      get_target_property(folder ${target} BINARY_DIR)
    endif()
    set_property(TARGET ${copy} PROPERTY ${kind}_OUTPUT_DIRECTORY "${folder}")
  endforeach()
  set_property(TARGET ${copy} PROPERTY UNITY_BUILD OFF)
  add_dependencies(${copy} ${target}) # and so on the files that are generated for it
  if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    # a library may have main(), which only our library would ask for, too late
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${copy} PRIVATE "LINKER:-u,main")
    endif()
    target_link_libraries(${copy} PRIVATE GpuTestCheck::cuda-gpu)
  endif()
endfunction()
