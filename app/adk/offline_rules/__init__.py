"""The offline model's rules: pure, deterministic, without a language model.

`decide` reads what the user said and what core memory holds, and answers with tool calls, the way
a language model would.
"""

from app.adk.offline_rules.decision import decide
from app.adk.offline_rules.seen import Answered, Call, Seen

__all__ = ["Answered", "Call", "Seen", "decide"]
