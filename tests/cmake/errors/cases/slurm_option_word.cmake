# gputest_add_slurm_jobs(): OPTIONS: 'gpu' is no option of sbatch
gputest_add_slurm_jobs(OPTIONS --partition gpu)
