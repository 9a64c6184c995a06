// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's functions for sources whose pragmas have no effect, so that one thread does everything.
// This header is found if the compiler has no omp.h; GCC's libgomp has the functions.
#ifndef GPUTEST_CUDA_OMP_H
#define GPUTEST_CUDA_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  unsigned char data[4];
} omp_lock_t;

void omp_set_num_threads(int count);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int is);
int omp_get_dynamic(void);
void omp_set_nested(int is);
int omp_get_nested(void);
double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_init_lock(omp_lock_t* lock);
void omp_destroy_lock(omp_lock_t* lock);
void omp_set_lock(omp_lock_t* lock);
void omp_unset_lock(omp_lock_t* lock);
int omp_test_lock(omp_lock_t* lock);

#ifdef __cplusplus
}
#endif

#endif
