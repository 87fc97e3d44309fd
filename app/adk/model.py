"""Which model drives the tools, and how the page names it."""

from google.adk.models import BaseLlm, Gemini
from google.genai import types

from app.adk.offline import OfflineModel
from app.config import Settings

OFFLINE_LABEL = "Offline model"


def build_model(settings: Settings) -> BaseLlm:
    """Build the configured model; nothing is called or downloaded before the first turn."""
    if settings.provider == "offline":
        return OfflineModel(zone=settings.zone)
    assert settings.api_key is not None, "settings refuse gemini without a key"
    return Gemini(
        model=settings.model.name,
        base_url=settings.model.base_url or None,
        # Explicit, so that a key from .env is used without being written to the environment,
        # and a cloud project of the machine's own is not.
        client_kwargs={"api_key": settings.api_key.get_secret_value(), "enterprise": False},
        retry_options=types.HttpRetryOptions(attempts=3, initial_delay=0.5, max_delay=4.0),
    )


def label(model: BaseLlm) -> str:
    """Name the model for the page."""
    return OFFLINE_LABEL if isinstance(model, OfflineModel) else model.model
