"""Error rates and coverage by simulation, each file named after the module whose promises it counts."""
