"""The names under which PettingZoo and Gymnasium know the game; `import iaww_env` enters them."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

PETTINGZOO_ID = "iaww_v0"
# Of Gymnasium: id, single environment, native batch.
GYMNASIUM = (
    (
        "iaww/Versus-v0",
        "iaww_env.envs.single.versus:VersusEnv",
        "iaww_env.envs.single.vector:VersusVectorEnv",
    ),
    ("iaww/Solo-v0", "iaww_env.envs.single.solo:SoloEnv", "iaww_env.envs.single.vector:SoloVectorEnv"),
)


def register_environments() -> None:
    """Register the environments with both frameworks; what is registered already stays."""
    register_with_gymnasium()
    register_with_pettingzoo()


def register_with_gymnasium() -> None:
    """Enter the ids in Gymnasium's registry: `gymnasium.make("iaww/Versus-v0", players=5)`, and `make_vec`.

    Gymnasium looks for no plug-ins, so `iaww_env` must have been imported; or name it before the id, as in
    `gymnasium.make("iaww_env:iaww/Solo-v0")`.
    """
    for id, single, vector in GYMNASIUM:
        if id not in registry:
            register(id, entry_point=single, vector_entry_point=vector)


def register_with_pettingzoo() -> None:
    """Enter `iaww_v0` in PettingZoo's registries: `pettingzoo.make("parallel", "iaww_v0", players=5)`."""
    try:
        from pettingzoo.env_registry import registration as pettingzoo
    except ImportError:  # PettingZoo before 1.27 has no registry
        return
    known = PETTINGZOO_ID.replace("_v", "-v")  # the form in which PettingZoo keeps it
    if known not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", PETTINGZOO_ID, "iaww_env.iaww_v0:parallel_env")
    if known not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, "iaww_env.iaww_v0:env")
