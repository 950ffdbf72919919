"""The bot `ppo`: networks trained by self-play, that play without any learning library."""
