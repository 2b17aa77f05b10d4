#!/bin/sh
# Ranks by Open MPI: the number behind -n is that of ranks. Edit, then "sh open-mpi.sh". A lost rank ends the job; started
# again, it goes on from the store.
exec mpirun -n 2 mergemate rank chess KQK --memory 64MiB --store /shared/tables
