"""Games of every mode as digests: nothing that a user, a learner or a bot sees has changed."""
