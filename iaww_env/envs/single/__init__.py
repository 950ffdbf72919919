"""The Gymnasium environments: one learner, with bots beside it or alone, in one lane or in many."""
