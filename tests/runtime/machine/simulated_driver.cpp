// What makes a library of gputest_cudart: nothing is added.
