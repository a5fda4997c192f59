#!/usr/bin/env bash

#SBATCH -J treegauge
#SBATCH -e logs/treegauge-%J.err
#SBATCH -o logs/treegauge-%J.out
#SBATCH -p long
#SBATCH -A syntax
#SBATCH -n 1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH -t 04:00:00
source ~/treegauge/bin/activate
python -m distributed.cli.dask_worker tcp://HOST:PORT --name dummy-name --nthreads 8 --memory-limit 32.00GiB --nanny --death-timeout 300 --no-dashboard
