"""What the model may call: thin functions, one call into a tier, a dict back."""
