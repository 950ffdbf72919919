"""The PettingZoo environments: every seat is an agent."""
