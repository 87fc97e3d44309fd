"""Settings: every fault is told at start, in a sentence."""

import re
from pathlib import Path

import pytest

from app.config import ConfigError, Settings, load_settings

ROOT = Path(__file__).parents[2]
SECRET = "AIzaSyD-not-a-real-key-0123456789abcdef"


@pytest.mark.parametrize(
    "text", ["", "# nothing but a comment\n", "limits:\n", "limits: {}", "---"]
)
def test_empty_file_means_defaults(load, text):
    """An empty file, and an empty section, leave every default in place."""
    assert load(text) == Settings()


def test_missing_file_means_defaults_and_one_notice(tmp_path):
    """Without a config.yaml the defaults apply, and that is said once."""
    settings = load_settings(tmp_path / "config.yaml", environ={})

    assert settings.notices == ("There is no config.yaml here, so the defaults apply.",)
    assert settings.model_copy(update={"notices": ()}) == Settings()


def test_no_path_reads_no_file():
    """With path None nothing is read and nothing is missed."""
    assert load_settings(None, environ={}) == Settings()


def test_each_source_overrides_the_one_before(load):
    """Defaults give way to the file, the file to the environment, the environment to the caller."""
    settings = load(
        "limits: {steps: 2, message_chars: 2, output_tokens: 2}",
        environ={
            "TIERED_MEMORY__LIMITS__MESSAGE_CHARS": "3",
            "TIERED_MEMORY__LIMITS__OUTPUT_TOKENS": "3",
        },
        overrides={"limits.output_tokens": 4},
    )

    limits = settings.limits
    assert (limits.steps, limits.message_chars, limits.output_tokens) == (2, 3, 4)


def test_overrides_may_be_nested_or_dotted(load, tmp_path):
    """A caller may say `{"limits": {"steps": 3}}` and `{"storage.data_dir": path}` at once."""
    settings = load(overrides={"limits": {"steps": 3}, "storage.data_dir": tmp_path})

    assert (settings.limits.steps, settings.storage.data_dir) == (3, tmp_path)


def test_home_in_the_data_folder_is_expanded(load):
    """`~` in storage.data_dir is the person's home."""
    assert load("storage: {data_dir: ~/memory}").storage.data_dir == Path.home() / "memory"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recal: {limit: 5}", ["section named `recal`", "`recal.limit`", "limits, snapshot"]),
        ("memory: {human_limt: 500}", ["section named `memory`", "mean `core.human_limit`"]),
        ("core: {human_limt: 500}", ["key named `core.human_limt`", "mean `core.human_limit`"]),
        ("limit: {step: 5}", ["section named `limit`", "mean `limits.steps`"]),
        ("limits: {zebra: 5}", ["key named `limits.zebra`", "steps, message_chars"]),
        ("data_dir: here", ["section named `data_dir`", "mean `storage.data_dir`"]),
        ("memory: {}", ["section named `memory`"]),
        ("1: 2", ["section named `1`"]),
        ("limits: {steps: {most: 3}}", ["`limits.steps`", "a dict", "whole number from 1 to 50"]),
        ("limits: {output_token: 5}", ["mean `limits.output_tokens`"]),
    ],
)
def test_unknown_key_is_told_with_the_nearest(refusal, text, words):
    """A misspelt section or key is refused with its full path and the name that was meant."""
    message = refusal(text)

    assert [word for word in words if word not in message] == []
    assert message.count("\n") == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("limits: {steps: 0}", "`limits.steps` (config.yaml) is 0; it must be a whole number"),
        ("limits: {steps: 51}", "is 51; it must be a whole number from 1 to 50"),
        ("limits: {steps: yes}", "is true; it must be a whole number"),
        ("limits: {steps: '3'}", "is '3'; it must be a whole number"),
        ("limits: {steps: 3.5}", "is 3.5; it must be a whole number"),
        ("limits: {steps: many}", "is 'many'; it must be a whole number"),
        ("limits: {steps: [3]}", "is a list; it must be a whole number"),
        ("limits: {steps: }", "is empty; it must be a whole number"),
        ("limits: {message_chars: -1}", "is -1; it must be a whole number"),
        ("server: {port: 70000}", "is 70000; it must be a whole number from 1 to 65,535"),
        ("core: {human_limit: 100001}", "is 100001; it must be a whole number from 1 to 100,000"),
        ("core: {persona: yes}", "is true; it must be text"),
        ('core: {persona: "\\0"}', "it must be text without NUL"),
        ('core: {persona: "\\ud800"}', "it must be text without NUL and lone surrogates"),
        ("core: {persona_limit: 5}", "`core.persona` has 118 characters, more than"),
        ("model: {provider: gemni}", "is 'gemni'; it must be auto, gemini or offline"),
        ("model: {provider: off}", "is false; it must be auto, gemini or offline"),
        ("model: {name: ''}", "it must be a name without spaces"),
        ("model: {base_url: localhost:80}", "it must be an http:// or https:// address"),
        ("model: {base_url: 'http://h:99999'}", "it must be an http:// or https:// address"),
        ("users: {proxies: everywhere}", "addresses or networks such as 10.0.0.0/8"),
        ("users: {header: 'X User'}", "the name of a header"),
        ("limits: {notes: many}", "it must be auto or a whole number from 0"),
        ("limits: {notes: -1}", "it must be auto or a whole number from 0"),
        ("users: {mode: everyone}", "is 'everyone'; it must be auto, single, visitors or header"),
        ("embedding: {backend: torch}", "it must be onnx or sentence-transformers"),
        ("embedding: {model: other-model}", "onnx serves all-MiniLM-L6-v2 alone"),
        ("embedding: {model: ' '}", "it must be the name of a model or the path of its folder"),
        ("locale: {timezone: Europe/Berlim}", "did you mean Europe/Berlin?"),
        ("locale: {timezone: ../etc}", "it must be an IANA name"),
        ("locale: {timezone: Europe}", "it must be an IANA name"),
        ("server: {host: 'http://x'}", "it must be a host name or an address"),
        ("server: {host: 'x:80'}", "it must be a host name or an address"),
        ("storage: {data_dir: ''}", "it must be the path of a folder"),
        ("storage: {data_dir: 3}", "is 3; it must be the path of a folder"),
        ("storage: {data_dir: ~nobody-here/x}", "a user this machine knows"),
        ("limits: [12]", "The section `limits` (config.yaml) is a list; it must hold keys"),
        ("limits: 12", "The section `limits` (config.yaml) is 12; it must hold keys"),
        ("- limits", "config.yaml must hold sections"),
        ("limits", "config.yaml must hold sections"),
        ("limits: {steps: 3", "config.yaml is not valid YAML at line 1, column 18"),
        ("limits:\n\tsteps: 3", "config.yaml is not valid YAML at line 2, column 1"),
        ("a: 1\n---\nb: 2", "config.yaml is not valid YAML at line 2, column 1"),
        ("limits: \x01", "a character that YAML does not allow"),
        ("limits: {steps: 2024-99-99}", "an impossible number or date"),
        ("a: " + "[" * 3000, "nests too deeply"),
    ],
)
def test_impossible_value_is_told_with_what_is_accepted(refusal, text, words):
    """A wrong type, an impossible value and broken YAML are one sentence each, no traceback."""
    message = refusal(text)

    assert words in message
    assert message.count("\n") == 0


def test_file_that_is_no_text_is_refused(tmp_path):
    """Bytes that are not UTF-8 are told as such."""
    (tmp_path / "config.yaml").write_bytes("limits: {steps: 3}".encode("utf-16"))

    with pytest.raises(ConfigError, match=r"config\.yaml is not UTF-8 text"):
        load_settings(tmp_path / "config.yaml", environ={})


def test_folder_in_place_of_the_file_is_refused(tmp_path):
    """A folder named config.yaml is one sentence."""
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load_settings(tmp_path, environ={})


def test_file_with_a_byte_order_mark_is_read(tmp_path):
    """An editor's byte order mark does not turn the first section into an unknown one."""
    (tmp_path / "config.yaml").write_text("limits: {steps: 3}", encoding="utf-8-sig")

    assert load_settings(tmp_path / "config.yaml", environ={}).limits.steps == 3


def test_every_fault_is_told_at_once(refusal):
    """Three faults in three places are three sentences."""
    message = refusal(
        "limits: {steps: 0}\ncore: {human_limt: 5}", environ={"PORT": "none"}
    ).splitlines()

    assert [re.findall(r"`([a-z_.]+)`", line)[0] for line in message] == [
        "core.human_limt",
        "limits.steps",
        "server.port",
    ]


def test_key_that_stands_twice_is_refused(refusal):
    """YAML would keep the last of two keys in silence."""
    message = refusal("limits:\n  steps: 3\n  steps: 4\ncore: {}\nlimits: {}\n")

    assert "The key `limits` stands twice, in lines 1 and 5 of config.yaml; keep one." in message
    assert "The key `limits.steps` stands twice, in lines 2 and 3 of config.yaml" in message


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "TIERED_MEMORY__LIMITS__STEPS",
            "many",
            "`limits.steps` (TIERED_MEMORY__LIMITS__STEPS) is",
        ),
        ("TIERED_MEMORY__LIMITS__STEPS", "", "is ''; it must be a whole number from 1 to 50"),
        ("TIERED_MEMORY__LIMITS__STEPS", "0", "is 0; it must be a whole number from 1 to 50"),
        ("TIERED_MEMORY__LIMIT__STEPS", "5", "did you mean TIERED_MEMORY__LIMITS__STEPS?"),
        ("TIERED_MEMORY_LIMITS_STEPS", "5", "did you mean TIERED_MEMORY__LIMITS__STEPS?"),
        ("TIERED_MEMORY__AUTO_RECALL__ENABLED", "false", "AUTO_RECALL__ENABLED is not a setting"),
        ("TIERED_MEMORY", "1", "TIERED_MEMORY is not a setting"),
        ("TIERED_MEMORY__MODEL__API_KEY", SECRET, "did you mean GOOGLE_API_KEY?"),
        ("PORT", "http", "`server.port` (PORT) is 'http'"),
        ("HOST", "http://x", "`server.host` (HOST) is 'http://x'"),
    ],
)
def test_unusable_variable_is_told(refusal, name, value, words):
    """A variable of ours that is unknown or has a wrong value is named; nothing is ignored."""
    message = refusal(environ={name: value})

    assert words in message
    assert SECRET not in message


def test_plain_host_and_port_are_respected(load):
    """HOST and PORT override the file, and give way to the full variables."""
    server = load(
        "server: {host: '::1', port: 1}",
        environ={"HOST": "0.0.0.0", "PORT": "8000", "TIERED_MEMORY__SERVER__PORT": "9000"},
    ).server

    assert (server.host, server.port) == ("0.0.0.0", 9000)


def test_blank_port_counts_as_not_set(load):
    """An empty PORT, as some hosts pass it, leaves the default."""
    assert load(environ={"PORT": "", "HOST": " "}).server == Settings().server


@pytest.mark.parametrize("name", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
def test_key_makes_auto_mean_gemini(load, name):
    """With either key the provider is Gemini; without one, or with a blank one, it is offline."""
    assert load(environ={name: "k"}).provider == "gemini"
    assert load(environ={name: "  "}).provider == "offline"
    assert load().provider == "offline"


def test_offline_stays_offline_with_a_key(load):
    """A provider that is named is not overridden by a key."""
    assert load("model: {provider: offline}", environ={"GOOGLE_API_KEY": "k"}).provider == "offline"


@pytest.mark.parametrize("environ", [{}, {"GOOGLE_API_KEY": ""}, {"GEMINI_API_KEY": " \t"}])
def test_gemini_without_a_key_does_not_start(refusal, environ):
    """The missing key is told at start: which variable to set, and where."""
    message = refusal("model: {provider: gemini}", environ=environ)

    assert "set GOOGLE_API_KEY (or GEMINI_API_KEY)" in message
    assert "in a file .env beside config.yaml" in message


def test_key_is_read_from_dotenv_beside_the_file(load):
    """A file .env is read; other variables of ours work there too."""
    settings = load(dotenv=f"GOOGLE_API_KEY={SECRET}\nTIERED_MEMORY__LIMITS__STEPS=7\n")

    assert settings.api_key.get_secret_value() == SECRET
    assert settings.limits.steps == 7


def test_real_variable_goes_before_dotenv(load):
    """What is really set wins over .env, a blank key included."""
    dotenv = "GOOGLE_API_KEY=from-file\n"

    assert load(environ={"GOOGLE_API_KEY": "real"}, dotenv=dotenv).api_key.get_secret_value() == (
        "real"
    )
    assert load(environ={"GOOGLE_API_KEY": ""}, dotenv=dotenv).api_key is None


def test_misspelt_variable_in_dotenv_is_noticed(load):
    """A key under a wrong name is told without its value; foreign variables are left alone."""
    settings = load(dotenv=f"GOOGLE_APIKEY={SECRET}\nEDITOR=vi\n")

    assert settings.notices == (
        "The file .env sets GOOGLE_APIKEY, which is not read; did you mean GOOGLE_API_KEY?",
    )


def test_unreadable_dotenv_is_refused(load, tmp_path):
    """A .env that is not text is one sentence."""
    (tmp_path / ".env").write_bytes(b"GOOGLE_API_KEY=\xff\xfe")

    with pytest.raises(ConfigError, match=r"\.env cannot be read as UTF-8 text"):
        load()


def test_space_with_one_memory_for_all_is_refused(refusal):
    """On a public Space everybody would share one memory, so nothing starts."""
    message = refusal("users: {mode: single}", environ={"SYSTEM": "spaces"})

    assert "every visitor of this Space would read the same memory" in message


def test_who_is_who_depends_on_the_place(load):
    """Left alone it is one person at home, and visitors on a Space."""
    assert load().user_mode == "single"
    assert load(environ={"SYSTEM": "spaces"}).user_mode == "visitors"
    assert load("users: {mode: header}", environ={"SYSTEM": "spaces"}).user_mode == "header"


def test_space_listens_on_every_address(load):
    """A Space's proxy comes from outside, whatever the file says."""
    settings = load("server: {host: 127.0.0.1}", environ={"SYSTEM": "spaces"})

    assert settings.host == "0.0.0.0"
    assert settings.notices == ()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "box.lan"])
def test_one_memory_for_a_network_is_warned_of(load, host):
    """A page of one person that is open to a network says so at start; visitors need no word."""
    alone = load(f"server: {{host: '{host}'}}").notices
    apart = load(f"{{server: {{host: '{host}'}}, users: {{mode: visitors}}}}").notices

    assert len(alone) == 1
    assert "reads and writes the same memory" in alone[0]
    assert apart == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_a_page_for_this_machine_alone_is_no_news(load, host):
    """An address that only this machine reaches needs no warning."""
    assert load(f"server: {{host: '{host}'}}").notices == ()


def test_caps_are_off_at_home_and_on_in_public(load):
    """`auto` is no limit at home and a moderate one on a Space; a number holds anywhere."""
    names = ("session_turns", "notes", "calls_per_minute", "calls_per_day", "turns_at_once")
    home, space = load(), load(environ={"SYSTEM": "spaces"})
    given = load("limits: {notes: 3, session_turns: 0}", environ={"SYSTEM": "spaces"})

    assert [home.cap(name) for name in names] == [None] * 5
    assert all(space.cap(name) for name in names)
    assert (given.cap("notes"), given.cap("session_turns")) == (3, None)
    assert given.policy().notes == 3


def test_cap_in_the_environment_is_a_number_or_auto(load, refusal):
    """A variable sets a cap as a number or as the word; another word is refused."""
    name = "TIERED_MEMORY__LIMITS__CALLS_PER_MINUTE"

    assert load(environ={name: "7"}).cap("calls_per_minute") == 7
    assert load(environ={name: "auto"}).cap("calls_per_minute") is None
    assert "it must be auto or a whole number from 0" in refusal(environ={name: "many"})


def test_output_limit_has_its_former_name(load):
    """MEMGPT_MAX_OUTPUT_TOKENS sets limits.output_tokens; the longer name goes before it."""
    former = {"MEMGPT_MAX_OUTPUT_TOKENS": "100"}

    assert load(environ=former).limits.output_tokens == 100
    both = former | {"TIERED_MEMORY__LIMITS__OUTPUT_TOKENS": "200"}
    assert load(environ=both).limits.output_tokens == 200


@pytest.mark.parametrize("inside", ["data/snapshots", "data", "."])
def test_snapshots_beside_the_databases_are_refused(refusal, inside):
    """Snapshots within the data folder, or around it, would not outlive it."""
    message = refusal(f"{{storage: {{data_dir: data}}, snapshot: {{folder: {inside}}}}}")

    assert "lie in one another" in message


def test_policy_carries_limits_persona_and_zone(load):
    """What the tiers are opened with comes from the settings."""
    policy = load(
        "core: {persona: Brief., persona_limit: 10, human_limit: 20}\n"
        "locale: {timezone: Asia/Tokyo}"
    ).policy()

    persona, human = policy.blocks
    assert (persona.initial, persona.limit, human.limit) == ("Brief.", 10, 20)
    assert policy.timezone == "Asia/Tokyo"


def test_zone_is_the_named_one_or_the_machines(load):
    """A blank locale.timezone stands for the machine's zone."""
    assert load("locale: {timezone: Asia/Tokyo}").zone.key == "Asia/Tokyo"
    assert load().zone is None


def test_settings_are_frozen(load):
    """Nothing changes a setting after start."""
    with pytest.raises(ValueError, match="frozen"):
        load().limits.steps = 5
