/* Shared by the kernel and the host. */
#ifndef BODY_H
#define BODY_H

#ifdef __OPENCL_VERSION__
#define FLOAT4 float4
#define UINT uint
#else
#include <CL/cl.h>
#define FLOAT4 cl_float4
#define UINT cl_uint
#endif

typedef struct Body {
  FLOAT4 position; /* w: mass */
  FLOAT4 velocity; /* w: not used */
} Body;

typedef struct Simulation {
  UINT bodies;
  float time_step;
  float softening; /* length; 0: two bodies at one place do not act on each other */
} Simulation;

#undef FLOAT4
#undef UINT
#endif
