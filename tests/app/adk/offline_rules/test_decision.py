"""The offline model's replies, turn by turn."""

from tests.app.adk.offline_rules.world import World


def test_an_introduction_is_saved_and_answered_in_one_reply():
    """A plain turn costs one model reply: the write and what is said about it."""
    world = World()

    reply = world.say("Hi, I'm Dana.")

    assert [call.name for call in world.calls] == ["core_memory_append", "send_message"]
    assert world.human == "Name: Dana."
    assert "Dana" in reply


def test_a_declined_correction_keeps_the_old_value_in_block_and_reply():
    """After a rejection the reply holds the old value and not the new one."""
    world = World(human="Lives in Lisbon.", approve=False)

    reply = world.say("Actually, I moved to Porto.")

    assert world.human == "Lives in Lisbon."
    assert "Lisbon" in reply
    assert "Porto" not in reply
