# gputest_add_kernel(): k: MUTATION SINCE: '--output=x' cannot be a commit: name a branch, a tag or a commit of Git, such as origin/main
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION SINCE --output=x)
