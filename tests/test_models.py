"""The keyless model as a chat model: it cannot cheat, and it behaves like a real one towards LangChain."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, get_buffer_string
from langchain_core.tools import tool
from pydantic import BaseModel

from course_lib import models, tokens, transcripts

NAME = HumanMessage("What is my name?")
TOLD = [HumanMessage("My name is Fraz."), AIMessage("Noted."), NAME]


@pytest.fixture
def model():
    return models.KeylessChatModel()


def is_unknown(reply):
    return reply.text.startswith(models.UNKNOWN)


# --- it cannot cheat


def test_it_knows_only_what_is_in_the_prompt(model):
    assert model.invoke(TOLD).text == "Your name is Fraz."
    assert is_unknown(model.invoke([NAME]))  # the same object, a moment later
    assert is_unknown(models.KeylessChatModel().invoke([NAME]))


def test_every_fact_of_the_transcript_is_unknown_without_its_messages(model):
    probes = transcripts.load().probes
    assert len(probes) > 20
    for probe in probes:
        for question in probe.question.values():
            assert is_unknown(model.invoke([HumanMessage(question)])), question


def test_two_conversations_at_once_do_not_mix(model):
    def ask(name):
        return model.invoke([HumanMessage(f"My name is {name}."), NAME]).text

    names = [f"User{letter}" for letter in "ABCDEFGHIJKLMNOPQRST"]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, names)) == [f"Your name is {name}." for name in names]


def test_the_same_prompt_gets_the_same_reply_in_another_process(model):
    code = (
        "from langchain_core.messages import HumanMessage; from course_lib import models\n"
        "print(models.KeylessChatModel().invoke([HumanMessage('Mera naam Fraz hai. Mera naam kya hai?')]).text)"
    )
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert said == ["Tumhara naam Fraz hai.\n"] * 2


def test_the_prompt_is_left_as_it_was(model):
    prompt = [*TOLD]
    before = [message.model_copy(deep=True) for message in prompt]
    model.invoke(prompt)
    assert prompt == before


@pytest.mark.parametrize(
    "prompt", [[SystemMessage("Be kind.")], [AIMessage("Hello.")], [HumanMessage("")], [HumanMessage("\u202e\x00 ?")]]
)
def test_an_odd_prompt_gets_a_sentence(model, prompt):
    assert model.invoke(prompt).text


def test_it_answers_in_the_language_of_the_question(model):
    assert model.invoke([*TOLD[:2], HumanMessage("mera naam kya hai?")]).text == "Tumhara naam Fraz hai."
    assert model.invoke([HumanMessage("Mera naam Fraz hai."), NAME]).text == "Your name is Fraz."


@pytest.mark.parametrize(
    ("told", "label"),
    [
        ("mere bhai ka naam Arjun hai", "tumhare bhai ka naam"),
        ("meri behen ka sheher Pune hai", "tumhari behen ka sheher"),
        ("meri wife ka naam Kavita hai", "tumhari biwi ka naam"),
        ("mere pita ka naam Ram hai", "tumhare papa ka naam"),
        ("mere bete ki umar 7 hai", "tumhare bete ki umar"),
        ("mere boss ka naam Ravi hai", "tumhare boss ka naam"),
        ("Arjun ka sheher Pune hai", "Arjun ka sheher"),
        ("my wife's name is Kavita", "your wife's name"),
    ],
)
def test_relatives_are_named_in_the_language_of_the_reply(model, told, label):
    assert label in model.invoke(told).text


def test_everything_that_is_known_is_said_once(model):
    said = ["mera naam Fraz hai", "mujhe chai pasand hai", "mujhe coffee pasand nahi hai"]
    prompt = []
    for text in said:
        prompt.append(HumanMessage(text))
        prompt.append(model.invoke(prompt))
    reply = model.invoke([*prompt, HumanMessage("What do you know about me?")]).text
    assert reply.endswith("you. your name: Fraz; your preference: chai; your dislike: coffee.")


# --- towards LangChain


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("My order number is KB-77, when will it come?", "Noted: your order number is KB-77. I don't know"),
        ("Mera order number KB-77 hai, kab aayega?", "Theek hai: tumhara order number KB-77 hai. Mujhe nahi pata"),
        ("Forget my name. Where do I live?", "Okay, I leave your name out of my answers. I don't know your city"),
        ("My name is Fraz. What is my name?", "Your name is Fraz."),
        ("mujhe chai pasand nahi hai", "Theek hai: tumhari napasand cheez chai hai."),
        ("mera order KB-77 hai", "Theek hai: tumhara order number KB-77 hai."),
        ("mera sheher Pune nahi hai", "Theek hai: tumhara sheher Pune nahi hai."),
        ("mera favourite color blue hai", "Theek hai: tumhara favourite colour blue hai."),
        ("mera ghar Surat mein hai", "Theek hai: tumhara sheher Surat hai."),
    ],
)
def test_what_is_told_with_a_question_is_acknowledged_once(model, said, begins):
    reply = model.invoke(said).content
    assert reply.startswith(begins)
    assert reply.count("Noted") + reply.count("Theek hai") <= 1


def test_usage_is_what_the_counter_counts(model):
    reply = model.invoke(TOLD)
    assert reply.usage_metadata["input_tokens"] == tokens.count(TOLD)
    assert reply.usage_metadata["output_tokens"] == tokens.count(AIMessage(reply.text))


@pytest.mark.parametrize("prompt", [TOLD, [NAME], [HumanMessage("Namaste")]])
def test_a_stream_adds_up_to_the_reply(model, prompt):
    pieces = list(model.stream(prompt))
    whole = sum(pieces[1:], pieces[0])
    assert len(pieces) > 1 or " " not in whole.text
    assert whole.text == model.invoke(prompt).text
    assert whole.usage_metadata == model.invoke(prompt).usage_metadata


def test_async_and_batch_answer_alike(model):
    async def both():
        streamed = "".join([piece.text async for piece in model.astream(TOLD)])
        return streamed, (await model.ainvoke(TOLD)).text

    assert asyncio.run(both()) == ("Your name is Fraz.",) * 2
    assert [reply.text for reply in model.batch([TOLD, TOLD])] == ["Your name is Fraz."] * 2


def test_callbacks_see_the_call(model):
    class Seen(BaseCallbackHandler):
        prompts = 0

        def on_chat_model_start(self, serialized, messages, **kwargs):
            self.prompts += len(messages[0])

    seen = Seen()
    model.invoke(TOLD, {"callbacks": [seen]})
    assert seen.prompts == 3


# --- structured output and tools


class Profile(BaseModel):
    user_name: str | None = None
    home_city: str | None = None
    amount_paid: float | None = None
    hobby: str | None = None
    forget: list[str] | None = None


@pytest.mark.parametrize(
    ("said", "filled"),
    [
        ("My name is Fraz and I live in Pune.", {"user_name": "Fraz", "home_city": "Pune"}),
        ("Mera naam Fraz hai.", {"user_name": "Fraz"}),
        ("I paid Rs 2,499.", {"amount_paid": 2499.0}),
        ("I am Hungry.", {}),
        ("What is my name?", {}),
        ("Forget my city.", {"forget": ["city"]}),
        ("I don't like tea.", {"forget": ["preference: tea"]}),
        ("I don't live in Pune.", {"forget": ["city: Pune"]}),
        ("mera sheher bhool jao", {"forget": ["city"]}),
        ("forget everything", {"forget": ["everything"]}),
        ("Don't forget my city.", {}),
    ],
)
def test_structured_output_fills_what_is_stated_and_nothing_else(model, said, filled):
    profile = model.with_structured_output(Profile).invoke([HumanMessage(said)])
    assert profile.model_dump(exclude_none=True) == filled


@tool
def save_memory(content: str) -> str:
    """Keep a note about the user."""
    return f"Saved: {content}"


@tool
def forget_memory(key: str) -> str:
    """Forget a fact."""
    return f"Forgot {key}"


@tool
def find_order(order_number: str) -> str:
    """Find an order."""
    return "in Pune"


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        ("Remember that I like tea.", [("save_memory", {"content": "I like tea"})]),
        ("Yaad rakhna, mujhe chai pasand hai.", [("save_memory", {"content": "mujhe chai pasand hai"})]),
        ("Can you remember that my name is Fraz?", [("save_memory", {"content": "my name is Fraz"})]),
        ("Forget my city.", [("forget_memory", {"key": "city"})]),
        ("mera sheher bhool jao", [("forget_memory", {"key": "city"})]),
        ("Do you remember my name?", []),
        ("I like tea.", []),
        ("Don't forget my city.", [("save_memory", {"content": "my city"})]),
    ],
)
def test_memory_tools_are_called_when_asked_for(model, said, calls):
    reply = model.bind_tools([find_order, save_memory, forget_memory]).invoke([HumanMessage(said)])
    assert [(call["name"], call["args"]) for call in reply.tool_calls] == calls


def test_the_result_of_a_tool_is_said(model):
    call = {"name": "save_memory", "args": {"content": "I like tea"}, "id": "1"}
    prompt = [HumanMessage("Remember that I like tea."), AIMessage("", tool_calls=[call])]
    reply = model.bind_tools([save_memory]).invoke([*prompt, ToolMessage("Saved: I like tea", tool_call_id="1")])
    assert reply.text == "Done. Saved: I like tea"


def test_a_forced_tool_is_filled_from_the_prompt(model):
    bound = model.bind_tools([save_memory, find_order], tool_choice="find_order")
    assert bound.invoke([HumanMessage("My order number is KB-1.")]).tool_calls[0]["args"] == {"order_number": "KB-1"}
    assert bound.invoke([HumanMessage("Hello.")]).tool_calls[0]["args"] == {"order_number": None}


# --- summaries


@pytest.mark.parametrize("words", [0, 10, 25, 60, 150])
def test_a_summary_keeps_its_budget_and_whole_clauses(model, words):
    messages = transcripts.load().sessions[0].messages()
    prompt = models.summary_prompt(words).format(messages=get_buffer_string(messages))
    summary = model.invoke(prompt).text
    assert len(summary.split()) <= words
    assert (words < 10) == (summary == "")
    original = " ".join(message.text for message in messages)
    for line in summary.splitlines():
        speaker, _, clause = line.partition(": ")
        assert speaker in ("user", "assistant", "tool")
        assert clause in original or speaker == "tool"
        assert not clause.endswith("?")


def test_a_summary_can_be_read_back_and_summarised_again(model):
    text = "user: My name is Fraz.\nuser: Fraz is my name, and Fraz likes the Fraz name.\nuser: Hello."
    first = model.invoke(models.summary_prompt(30).format(messages=text)).text
    again = model.invoke(models.summary_prompt(30).format(messages=first)).text
    assert again == first
    assert model.invoke([SystemMessage(first), NAME]).text == "Your name is Fraz."


# --- choosing a model


def test_the_keyless_model_is_the_default(monkeypatch):
    monkeypatch.delenv(models.SETTING, raising=False)
    assert isinstance(models.chat_model(), models.KeylessChatModel)
    monkeypatch.setenv(models.SETTING, "  ")
    assert isinstance(models.chat_model(), models.KeylessChatModel)
    assert isinstance(models.chat_model("keyless"), models.KeylessChatModel)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gpt-4o-mini", "needs its provider in front"),
        ("openai:gpt-4o-mini", "pip install langchain-openai"),
        ("nobody:model", "could not be set up|not installed"),
    ],
)
def test_a_model_that_cannot_be_had_gets_a_sentence(monkeypatch, name, sentence):
    monkeypatch.setenv(models.SETTING, name)
    with pytest.raises(RuntimeError, match=sentence):
        models.chat_model()


# --- what an import costs


def test_importing_the_package_loads_no_graph_and_no_figure_library():
    code = (
        "import sys; import course_lib.language, course_lib.models, course_lib.tokens, course_lib.transcripts, "
        "course_lib.scoreboard, course_lib.figures, course_lib.checks\n"
        "heavy = {'langgraph', 'matplotlib', 'langchain', 'bpe_openai'} & set(sys.modules)\n"
        "raise SystemExit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_counting_loads_one_vocabulary_only():
    code = "import sys; from course_lib import tokens; tokens.count('a'); raise SystemExit('bpe_openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
