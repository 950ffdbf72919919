"""How strong an agent is, and where its points come from: what `iaww evaluate` measures and reports."""
