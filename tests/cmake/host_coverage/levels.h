#pragma once

bool raise_all(int* values, int n, int by);
int brightest();
