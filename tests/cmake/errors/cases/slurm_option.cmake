# gputest_add_slurm_jobs(): OPTIONS: '--array=1-4' is an option that GpuTestCheck gives itself
gputest_add_slurm_jobs(OPTIONS --array=1-4)
