"""Measurements behind `iaww bench`: decisions per second, and what compiling costs."""

from iaww_env.bench.cold import measure_cold, run_cold
from iaww_env.bench.compare import Comparison, compare_libraries, run_compare
from iaww_env.bench.engine import measure_engine, run_engine
from iaww_env.bench.environments import measure_environments, run_environments
from iaww_env.bench.report import SpeedReport, SpeedRow

__all__ = [
    "Comparison",
    "SpeedReport",
    "SpeedRow",
    "compare_libraries",
    "measure_cold",
    "measure_engine",
    "measure_environments",
    "run_cold",
    "run_compare",
    "run_engine",
    "run_environments",
]
