"""Questions that belong to the person: how they are asked, answered, and told to the model."""
