"""What a failed model call means to the person in front of the page. Pure; says no secrets."""

_BY_STATUS = {
    400: (
        "model_refused",
        "The model service refused the request. Check model.name in config.yaml.",
    ),
    401: ("model_key", "The model service does not accept the key. Check GOOGLE_API_KEY."),
    403: ("model_key", "The model service does not accept the key. Check GOOGLE_API_KEY."),
    404: ("model_unknown", "The model service does not know this model. Check model.name."),
    429: ("model_busy", "The model's quota is used up for now. Your message is kept: retry soon."),
}


def explain_model_error(error: Exception) -> tuple[str, str]:
    """Return a stable code and a sentence for an exception of a model call."""
    status = getattr(error, "code", None) or getattr(error, "status_code", None)
    if isinstance(status, int):
        if status in _BY_STATUS:
            return _BY_STATUS[status]
        if status >= 500:
            return ("model_down", "The model service is down. Your message is kept: retry soon.")
    name = type(error).__name__.lower()
    if "timeout" in name:
        return ("model_timeout", "The model did not answer in time. Your message is kept: retry.")
    if "connect" in name or "network" in name:
        return (
            "model_unreachable",
            "The model service cannot be reached. Check the network, then retry.",
        )
    if "key" in str(error).lower() and isinstance(error, ValueError):
        return ("model_key", "The model needs a key. Set GOOGLE_API_KEY in .env and restart.")
    return ("model_error", "The model call failed. Your message is kept: retry.")
