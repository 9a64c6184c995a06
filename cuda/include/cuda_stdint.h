// Integer types of fixed sizes.
#pragma once
#include <stdint.h>
