"""Search with the network of `ppo`: its policy plays sampled worlds on, its value judges where they stop."""
