#define OFFSET 3
#ifndef FAULT
#define FAULT 0
#endif

// The argument that only kernels in OpenCL have.
#ifdef HAS_TILE
#define TILE(type) , type
#else
#define TILE(type)
#endif
