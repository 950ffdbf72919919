"""Measurements behind `iaww bench`: decisions per second of CPU time, on one thread."""

from iaww_env.bench.engine import measure_engine, run_engine
from iaww_env.bench.report import Report, Row

__all__ = ["Report", "Row", "measure_engine", "run_engine"]
