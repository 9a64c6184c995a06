#ifndef MACROS_CUH
#define MACROS_CUH
// Without device code: it stays an include.
#define LIMIT 100
#endif
