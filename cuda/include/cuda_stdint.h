// Integers of known sizes.
#pragma once
#include <stdint.h>
