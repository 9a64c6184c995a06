# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers: the compiler reads the headers of the library, JSON, Clang and Catch2 once,
# not for each piece of a unity build. Sources still include what they use: builds without
# precompiled headers must pass, too.
include_guard(GLOBAL)

option(GPUTEST_PRECOMPILED_HEADERS "Read large headers once: builds everything sooner" OFF)

# gputest_headers_of(<variable> plain|clang|catch|catch_clang): the headers of a set.
function(gputest_headers_of variable set)
  set(headers <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <set> <span>
      <string> <string_view> <vector> <fmt/format.h> <nlohmann/json.hpp>)
  if(set MATCHES clang)
    list(APPEND headers
         <clang/AST/ASTContext.h> <clang/AST/ASTLambda.h> <clang/AST/Attr.h> <clang/AST/DeclCXX.h>
         <clang/AST/ExprCXX.h> <clang/AST/RecursiveASTVisitor.h> <clang/AST/StmtCXX.h>
         <clang/Basic/SourceManager.h> <clang/Frontend/CompilerInstance.h> <clang/Lex/Lexer.h>
         <clang/Lex/Preprocessor.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
         <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
  endif()
  if(set MATCHES catch)
    list(APPEND headers ${PROJECT_SOURCE_DIR}/tests/catch.h)
  endif()
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# gputest_precompile(<target> <set> <is hot>)
#
# The target is compiled with the headers of that set. One file serves all targets: sets with Catch2
# are made with the options of tests, the others with those of libraries. For a target that is
# optimised more, or a program that is no test, an option makes Clang accept the file, because
# nothing in it depends on these differences; other compilers do without the file. The target links
# fmt::fmt-header-only, because its macros must be those with which the file was made.
function(gputest_precompile target set hot)
  if(NOT GPUTEST_PRECOMPILED_HEADERS)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(hot OR (type STREQUAL EXECUTABLE AND NOT set MATCHES catch))
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
      return()
    endif()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-validate-pch")
  endif()
  set(provider gputest_headers_${set})
  if(NOT TARGET ${provider})
    set(source ${PROJECT_BINARY_DIR}/${provider}.cpp)
    file(CONFIGURE OUTPUT ${source}
         CONTENT "// The precompiled header is made for this file, and used for others.\n")
    add_library(${provider} OBJECT ${source})
    gputest_target_defaults(${provider})
    target_link_libraries(${provider} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json)
    # A compiler cache may bring the file back when the headers have new times.
    target_compile_options(${provider} PRIVATE
                           "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    if(set MATCHES clang)
      target_include_directories(${provider} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS}
                                 ${CLANG_INCLUDE_DIRS})
    endif()
    if(set MATCHES catch)
      set_target_properties(${provider} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_link_libraries(${provider} PRIVATE Catch2::Catch2)
    endif()
    gputest_headers_of(headers ${set})
    target_precompile_headers(${provider} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${provider})
endfunction()
