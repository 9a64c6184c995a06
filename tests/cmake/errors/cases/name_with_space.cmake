# gputest_add_kernel(): 'my kernel' cannot be a name: use letters, digits and ._+- only, and begin with a letter, a digit or _
gputest_add_kernel("my kernel" SOURCE k.cl GLOBAL_SIZE 4)
