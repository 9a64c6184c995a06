# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers: the compiler reads the headers of the library, JSON, Clang and Catch2 once, not for each
# piece of a unity build. Sources still include what they use: builds without precompiled headers must pass, too.
include_guard(GLOBAL)

option(GPUTEST_PRECOMPILED_HEADERS "Read large headers once: builds everything sooner" OFF)

set(gputest_headers_plain <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <vector> <fmt/format.h> <nlohmann/json.hpp>)
set(gputest_headers_clang ${gputest_headers_plain}
    <clang/AST/ASTContext.h> <clang/AST/ASTLambda.h> <clang/AST/Attr.h> <clang/AST/DeclCXX.h> <clang/AST/ExprCXX.h>
    <clang/AST/RecursiveASTVisitor.h> <clang/AST/StmtCXX.h> <clang/Basic/SourceManager.h>
    <clang/Frontend/CompilerInstance.h> <clang/Lex/Lexer.h> <clang/Lex/Preprocessor.h>
    <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
set(gputest_headers_catch ${gputest_headers_plain} ${PROJECT_SOURCE_DIR}/tests/catch.h)
set(gputest_headers_catch_clang ${gputest_headers_clang} ${PROJECT_SOURCE_DIR}/tests/catch.h)

# gputest_precompile(<target> plain|clang|catch|catch_clang): the target is compiled with the headers of that set.
# One file serves all targets: sets with Catch2 are made with the options of tests, the others with those of libraries.
# For a target that is optimised more, or a program that is no test, an option makes Clang accept the file, because
# nothing in it depends on these differences; other compilers do without the file. The target links
# fmt::fmt-header-only, because its macros must be those with which the file was made.
function(gputest_precompile target set)
  if(NOT GPUTEST_PRECOMPILED_HEADERS)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(GPUTEST_HOT_ROOM OR (type STREQUAL EXECUTABLE AND NOT set MATCHES catch))
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
      return()
    endif()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-validate-pch")
  endif()
  set(provider gputest_headers_${set})
  if(NOT TARGET ${provider})
    set(source ${PROJECT_BINARY_DIR}/${provider}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// The precompiled header is made for this file, and used for others.\n")
    add_library(${provider} OBJECT ${source})
    gputest_target_defaults(${provider})
    target_link_libraries(${provider} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json)
    # A compiler cache may bring the file back when the headers have new times.
    target_compile_options(${provider} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    if(set MATCHES clang)
      target_include_directories(${provider} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
    endif()
    if(set MATCHES catch)
      set_target_properties(${provider} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_link_libraries(${provider} PRIVATE Catch2::Catch2)
    endif()
    target_precompile_headers(${provider} PRIVATE ${gputest_headers_${set}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${provider})
endfunction()
