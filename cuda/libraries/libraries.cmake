# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CUDA's libraries of functions that the host calls, over libraries of the system. Each is built if
# the headers of what it needs are there. Otherwise its headers say which package to install.
# Properties of gputest-cuda list what is installed: GPUTEST_LIBRARIES, targets;
# GPUTEST_LIBRARY_INCLUDES, the folders whose headers are part of the toolkit;
# GPUTEST_LIBRARY_FILES, which go to lib64/.
set(parts ${CMAKE_CURRENT_BINARY_DIR}/parts)

# gputest_cuda_library(<name> <number of its soname> FOLDER <folder> [SOURCES <source>…]
#   HEADERS <header>… [NEEDS <path of a header>… PACKAGE <package>])
#
# NEEDS: what find_path() and find_library() have found.
function(gputest_cuda_library name number)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FOLDER;PACKAGE" "SOURCES;HEADERS;NEEDS")
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/parts)
  set(lib64 ${CMAKE_CURRENT_BINARY_DIR}/toolkit/lib64)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/libraries/${arg_FOLDER})
  foreach(found IN LISTS arg_NEEDS)
    if(NOT found)
      message(STATUS "GpuTestCheck: no lib${name} for CUDA programs, because ${arg_PACKAGE} is not "
                     "installed")
      foreach(header IN LISTS arg_HEADERS)
        file(CONFIGURE OUTPUT ${parts}/${header}
             CONTENT "#error \"${header}: install ${arg_PACKAGE}, then build GpuTestCheck again, \
or give nvcc the folder of another ${header}\"\n")
      endforeach()
      file(REMOVE ${lib64}/lib${name}.so ${lib64}/lib${name}_static.a
           ${lib64}/lib${name}.so.${number})
      return()
    endif()
  endforeach()
  foreach(header IN LISTS arg_HEADERS) # an earlier build may have missed something
    file(REMOVE ${parts}/${header})
  endforeach()
  set(target gputest_${name})
  list(TRANSFORM arg_SOURCES PREPEND libraries/${arg_FOLDER}/)
  add_library(${target} SHARED libraries/host.cpp ${arg_SOURCES})
  gputest_target_defaults(${target})
  target_include_directories(${target} PRIVATE include ${folder}/include)
  foreach(found IN LISTS arg_NEEDS)
    if(IS_DIRECTORY ${found})
      target_include_directories(${target} PRIVATE ${found})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  # The name is that of CUDA. The runtime's functions are those of the program.
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .so.${number}
                        CXX_VISIBILITY_PRESET default UNITY_BUILD OFF
                        LIBRARY_OUTPUT_DIRECTORY ${lib64}/$<0:>)
  add_dependencies(gputest-cuda ${target})
  # What linkers open, shared or static.
  foreach(file IN ITEMS lib${name}.so lib${name}_static.a)
    file(CONFIGURE OUTPUT ${lib64}/${file}
         CONTENT "/* The library, and the runtime whose functions it calls. */
INPUT(lib${name}.so.${number} libcudart_static.a)
")
    set_property(TARGET gputest-cuda APPEND PROPERTY GPUTEST_LIBRARY_FILES ${lib64}/${file})
  endforeach()
  set_property(TARGET gputest-cuda APPEND PROPERTY GPUTEST_LIBRARIES ${target})
  get_property(includes TARGET gputest-cuda PROPERTY GPUTEST_LIBRARY_INCLUDES)
  if(NOT ${folder}/include IN_LIST includes)
    set_property(TARGET gputest-cuda APPEND PROPERTY GPUTEST_LIBRARY_INCLUDES ${folder}/include)
  endif()
endfunction()

find_path(GPUTEST_CBLAS cblas.h PATH_SUFFIXES openblas DOC "The folder of OpenBLAS's cblas.h")
find_library(GPUTEST_OPENBLAS openblas DOC "OpenBLAS")
gputest_cuda_library(cublas 12 FOLDER blas NEEDS ${GPUTEST_CBLAS} ${GPUTEST_OPENBLAS}
                     PACKAGE libopenblas-dev
                     HEADERS cublas_v2.h cublas_api.h cublas.h
                     SOURCES double.cpp double_complex.cpp handle.cpp legacy.cpp mixed.cpp
                             mixed_vectors.cpp single.cpp single_complex.cpp)

gputest_cuda_library(curand 10 FOLDER rand HEADERS curand.h curand_kernel.h SOURCES curand.cpp
                     generators.cpp)

find_path(GPUTEST_FFTW fftw3.h DOC "The folder of FFTW's fftw3.h")
find_library(GPUTEST_FFTW_SINGLE fftw3f DOC "FFTW, single precision")
gputest_cuda_library(cufft 11 FOLDER fft NEEDS ${GPUTEST_FFTW} ${GPUTEST_FFTW_SINGLE}
                     PACKAGE libfftw3-dev
                     HEADERS cufft.h cufftXt.h cufftw.h SOURCES cufft.cpp)
if(TARGET gputest_cufft) # FFTW's interface is FFTW's
  foreach(file IN ITEMS libcufftw.so libcufftw_static.a)
    file(CONFIGURE OUTPUT ${toolkit}/lib64/${file} CONTENT "/* FFTW */\nINPUT(-lfftw3 -lfftw3f)\n")
    set_property(TARGET gputest-cuda APPEND PROPERTY GPUTEST_LIBRARY_FILES ${toolkit}/lib64/${file})
  endforeach()
endif()

gputest_cuda_library(cusparse 12 FOLDER sparse HEADERS cusparse.h cusparse_v2.h
                     SOURCES conversions.cpp descriptors.cpp factorisations.cpp patterns.cpp
                             products.cpp sparse.cpp spgemm.cpp triangles.cpp tridiagonal.cpp)

find_path(GPUTEST_LAPACKE lapacke.h PATH_SUFFIXES lapacke openblas
          DOC "The folder of LAPACKE's lapacke.h")
gputest_cuda_library(cusolver 11 FOLDER solver NEEDS ${GPUTEST_LAPACKE} ${GPUTEST_CBLAS}
                     ${GPUTEST_OPENBLAS}
                     PACKAGE "liblapacke-dev and libopenblas-dev" HEADERS cusolverDn.h
                             cusolverSp.h cusolver_common.h
                     SOURCES any_type.cpp double.cpp double_complex.cpp handle.cpp jacobi.cpp
                             single.cpp single_complex.cpp sparse.cpp ../sparse/sparse.cpp)
gputest_cuda_library(cublasLt 12 FOLDER blaslt NEEDS ${GPUTEST_CBLAS} ${GPUTEST_OPENBLAS}
                     PACKAGE libopenblas-dev
                     HEADERS cublasLt.h SOURCES matmul.cpp transform.cpp)
foreach(library IN ITEMS cublasLt cusolver) # their headers include those of cuBLAS and cuSPARSE
  if(TARGET gputest_${library})
    target_include_directories(gputest_${library} PRIVATE libraries/blas/include
                               libraries/sparse/include)
  endif()
endforeach()
gputest_cuda_library(nvidia-ml 1 FOLDER nvml HEADERS nvml.h SOURCES nvml.cpp)

# Libraries that are missing, by the headers that programs include. Where the system has such a
# header, it is that one.
foreach(header IN ITEMS
    "nccl.h NCCL" "cudnn.h cuDNN" "cudnn_v8.h cuDNN" "npp.h NPP" "nppi.h NPP" "npps.h NPP"
    "nppcore.h NPP" "nppdefs.h NPP" "nvjpeg.h nvJPEG" "cupti.h CUPTI"
    "cublasXt.h cuBLAS_for_several_GPUs"
    "cusolverRf.h cuSOLVER_for_sparse_matrices" "cusolverMg.h cuSOLVER_for_several_GPUs"
    "cutensor.h cuTENSOR" "cudss.h cuDSS" "nvshmem.h NVSHMEM" "nvgraph.h nvGRAPH"
    "curand_mtgp32_host.h MTGP32_of_cuRAND" "curand_mtgp32.h MTGP32_of_cuRAND"
    "curand_mtgp32_kernel.h MTGP32_of_cuRAND" "curand_mtgp32dc_p_11213.h MTGP32_of_cuRAND"
    "cuda_gl_interop.h OpenGL_with_CUDA" "cudaGL.h OpenGL_with_CUDA"
    "cuda_egl_interop.h EGL_with_CUDA" "cudaEGL.h EGL_with_CUDA"
    "cuda_vdpau_interop.h VDPAU_with_CUDA" "nvblas.h NVBLAS" "nvJitLink.h nvJitLink")
  string(REGEX REPLACE " .*" "" name "${header}")
  string(REGEX REPLACE ".* " "" library "${header}")
  string(REPLACE "_" " " library "${library}")
  file(CONFIGURE OUTPUT ${parts}/${name} @ONLY CONTENT
"#if __has_include_next(<${name}>)
#include_next <${name}>
#else
#error \"${name}: ${library} is missing without CUDA; give nvcc the folder of the header (-I) if \
this machine has it\"
#endif
")
endforeach()

# Part of what programs that link static libraries name.
file(CONFIGURE OUTPUT ${toolkit}/lib64/libculibos.a
     CONTENT "/* What others take from here is in libcudart_static.a. */\nINPUT(-lc)\n")
set_property(TARGET gputest-cuda APPEND PROPERTY GPUTEST_LIBRARY_FILES
             ${toolkit}/lib64/libculibos.a)
