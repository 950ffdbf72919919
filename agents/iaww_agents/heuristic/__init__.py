"""The heuristic: values of cards, quick rules built on them, and the plan that plays cards through."""
