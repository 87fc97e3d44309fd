"""All that touches google.adk: the agent, its callbacks, and the chat over them."""
