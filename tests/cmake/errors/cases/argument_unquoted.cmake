# gputest_add_kernel(): k: ARGUMENTS: CMake takes the parentheses of 'out:size=4,fill=random(…)' apart: quote it
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS out:size=4,fill=random(0,1))
