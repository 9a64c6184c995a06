# Faulty twins of the examples: in a copy of a file one text is replaced by another. Each is one fault, of
# a kind that a test of its results may not notice.
#
# `missed`: the simulator has no finding; benchmarks/results/cuda.md says why. Who mends that changes the word.
#
# twin(<example> <name> <kind: what the simulator's checks must call it> <file> <text> <by>)
twin(constant_filter bounds "out_of_bounds" constant_filter.cu "if (i >= n)" "if (i > n)")
twin(constant_filter global_race "race" constant_filter.cu "atomicAdd(&calls, 1)" "calls = calls + 1")
twin(cooperative_tiles uninitialized "uninitialized" cooperative_tiles.cu "cudaMemset(device_odd, 0, sizeof(int))" "(void)0")
twin(cooperative_tiles warp_mask "missed" cooperative_tiles.cu "if (active.thread_rank() == 0)"
     "tile.sync(); if (active.thread_rank() == 0)")
twin(dynamic_shared_sum race "race" dynamic_shared_sum.cu "numbers[i] : 0;\n  __syncthreads()" "numbers[i] : 0")
twin(dynamic_shared_sum barrier "missed" dynamic_shared_sum.cu
     "part[threadIdx.x] += part[threadIdx.x + width];\n    __syncthreads();"
     "{ part[threadIdx.x] += part[threadIdx.x + width]; __syncthreads(); }")
twin(dynamic_shared_sum bounds "out_of_bounds" dynamic_shared_sum.cu "threadIdx.x < width" "threadIdx.x <= width")
twin(saxpy_templates bounds "out_of_bounds" saxpy_templates.cu "x; i < n;" "x; i <= n;")
twin(saxpy_templates global_race "race" saxpy_templates.cu "y[i] = operation" "y[i / 2] = operation")
twin(streams_pipeline bounds "out_of_bounds" streams_pipeline.cu "if (i < n)" "if (i <= n)")
twin(streams_pipeline uninitialized "uninitialized" streams_pipeline.cu
     "cudaMemcpyAsync(at, host + p * piece, piece * sizeof(int), cudaMemcpyHostToDevice, stream)" "(void)0")
twin(texture_blur bounds "out_of_bounds" texture_blur.cu "x < width &&" "x <= width &&")
twin(warp_shuffles warp_mask "divergent_warp" warp_shuffles.cu "= __shfl_up_sync(0xffffffff, sum, delta)"
     "= lane >= delta ? __shfl_up_sync(0xffffffff, sum, delta) : 0")
twin(warp_shuffles bounds "out_of_bounds" warp_shuffles.cu "<<<2, 128>>>" "<<<3, 128>>>")
twin(histogram_library race "race" histogram.cu "atomicAdd(&part[values[i]], 1)" "++part[values[i]]")
twin(histogram_library uninitialized "uninitialized" histogram.cu "part[threadIdx.x] = 0" "(void)0")
twin(histogram_library global_race "race" histogram.cu "atomicAdd(&bins[threadIdx.x], part[threadIdx.x])"
     "bins[threadIdx.x] += part[threadIdx.x]")
