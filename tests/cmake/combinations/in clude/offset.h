#define OFFSET 3
#ifndef FAULT
#define FAULT 0
#endif
