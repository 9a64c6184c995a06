// Clang 19 does not know managed variables. For reading device code they are the device's.
#pragma once
#include_next <host_defines.h>
#undef __managed__
#define __managed__ __device__
