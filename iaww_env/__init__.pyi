# The public names of the package, each with the module that it lives in; `__init__.py` loads them from here.

from .actions import ActionTable as ActionTable
from .actions import action_table as action_table
from .batch import Batch as Batch
from .batch import make_stream as make_stream
from .breakdown import ScoreBreakdown as ScoreBreakdown
from .config import GameConfig as GameConfig
from .envs.multi.aec import aec_env as aec_env
from .envs.multi.parallel import parallel_env as parallel_env
from .envs.single.solo import SoloEnv as SoloEnv
from .envs.single.vector import SoloVectorEnv as SoloVectorEnv
from .envs.single.vector import VersusVectorEnv as VersusVectorEnv
from .envs.single.versus import VersusEnv as VersusEnv
from .errors import ActionTextError as ActionTextError
from .errors import ConfigError as ConfigError
from .errors import IawwError as IawwError
from .errors import IllegalActionError as IllegalActionError
from .errors import RecordError as RecordError
from .errors import StateError as StateError
from .game import Game as Game
from .observation import CARD_FEATURES as CARD_FEATURES
from .observation import card_features as card_features
from .observation import observation_table as observation_table
from .observation import raw_views as raw_views
from .observation import views as views
from .selfplay import SelfPlayRollout as SelfPlayRollout

__version__: str
