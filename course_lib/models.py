"""The keyless chat model of the course, and the one setting that puts a real model in its place."""

import html
import json
import os
import re
import uuid
from collections import Counter

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

from course_lib import facts, tokens

SETTING = "COURSE_MODEL"
MARKER = "[course summary, at most {words} words]"
STOPWORDS = set("""a an the and or but of to in on at for with by from as is am are was were be been it its this that these those i you he she we
    they me my your his her our their not no do did does done have has had will would can could so if then than there here what which who how
    when where please thanks thank ok okay yes hai hain tha thi the ho hoon ka ki ke ko se par pe mein main mera meri mere mujhe maine aap aapki
    aapka aapke toh bhi hi na nahi haan ji kya kar karo kiya ek yeh woh aur ya jo bas ab abhi phir""".split())


def chat_model(name=None):
    """The model of the lessons: keyless, or a real one named "provider:model".

    name: for example "openai:gpt-4o-mini"; None reads the environment variable COURSE_MODEL, and if that is not set
        either, returns a KeylessChatModel.
    Raises RuntimeError with what to do when the name has no provider, a package is missing, or the provider refuses its key.
    """
    name = name or os.environ.get(SETTING, "").strip()
    if not name or name == "keyless":
        return KeylessChatModel()
    if ":" not in name:
        raise RuntimeError(f"The model {name!r} needs its provider in front, as in {SETTING}=openai:gpt-4o-mini. Leave {SETTING} unset for the keyless model.")
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(name, temperature=0)
    except ImportError as error:
        provider = name.split(":")[0]
        raise RuntimeError(f"The model {name!r} needs a package that is not installed: pip install langchain-{provider} ({error}).") from error
    except Exception as error:  # each provider has its own classes for a missing or malformed key
        raise RuntimeError(f"The model {name!r} could not be set up: is its API key set? The provider says: {str(error).splitlines()[0]}") from error


def summary_prompt(words=60):
    """A prompt for a summary of at most `words` words, with the slot `{messages}` for the conversation.

    Give it to `SummarizationMiddleware(summary_prompt=…)`, or fill it with `get_buffer_string(messages)`. The earlier
    summary goes first in the conversation, as a message or as lines of the form `user: …`.
    """
    return f"{MARKER.format(words=words)}\nSummarise this conversation. Keep what the user will need later.\n\n{{messages}}"


class KeylessChatModel(BaseChatModel):
    """A stand-in that makes memory visible. It is not a language model.

    It reads its prompt, and nothing else, and answers in English or Hinglish by the patterns of `course_lib.facts`:
    a question about a stated fact gets that fact (of two contradicting statements the newest), a question about
    anything else gets "I don't know". It has no state between calls, no randomness and no network.

    - A prompt that begins with the marker of `summary_prompt` gets an extractive summary.
    - With a forced tool or `with_structured_output`, fields named like facts are filled, the others are None.
    - With a bound tool for saving (or forgetting), "remember that …" ("forget my …") calls it.

    What it cannot do: rephrase, reason, count, or understand a sentence outside its patterns. It then says so.
    """

    @property
    def _llm_type(self):
        return "keyless"

    def bind_tools(self, tools, *, tool_choice=None, **kwargs):
        """Bind tools as LangChain's real models do; `tool_choice` "any" or a tool's name forces a call."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(self, messages, stop=None, run_manager=None, tools=(), tool_choice=None, **kwargs):
        reply = respond(messages, list(tools), tool_choice)
        spent, written = tokens.count(messages), tokens.count(reply)
        reply.usage_metadata = {"input_tokens": spent, "output_tokens": written, "total_tokens": spent + written}
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        reply = self._generate(messages, **kwargs).generations[0].message
        calls = [{"name": c["name"], "args": json.dumps(c["args"]), "id": c["id"], "index": i, "type": "tool_call_chunk"}
                 for i, c in enumerate(reply.tool_calls)]
        pieces = re.findall(r"\S+\s*", reply.content) or [""]
        for i, piece in enumerate(pieces):
            last = i == len(pieces) - 1
            chunk = AIMessageChunk(content=piece, tool_call_chunks=calls if last else [], usage_metadata=reply.usage_metadata if last else None)
            yield ChatGenerationChunk(message=chunk)


# --- replies -------------------------------------------------------------------------------------------------------


def respond(messages, tools=(), tool_choice=None):
    """The AIMessage that answers a prompt: a summary, a tool call, or text. It depends on the arguments alone."""
    if not messages:
        return AIMessage("I was given an empty prompt, so there is nothing to answer.")
    last = messages[-1]
    marker = re.search(re.escape(MARKER).replace(r"\{words\}", r"(\d+)"), last.text)
    if marker:
        conversation = last.text[marker.end():].partition("\n\n")[2]  # the instruction itself is not part of it
        return AIMessage(summarise(conversation, int(marker[1])))
    if last.type == "human" and (call := memory_call(last.text, tools)):
        return AIMessage("", tool_calls=[call])
    if tools and tool_choice not in (None, "auto", "none"):
        forced = [t for t in tools if t["function"]["name"] == tool_choice] or tools
        return AIMessage("", tool_calls=[fill(forced[-1], facts.read(messages))])
    return AIMessage(reply_text(messages))


def reply_text(messages):
    """Answer the newest human message: each question in it, or else acknowledge what it states."""
    at = max((i for i, m in enumerate(messages) if m.type == "human"), default=None)
    if at is None:
        return "There is no question in my prompt."
    text = messages[at].text
    say = HINGLISH if facts.is_hinglish(text) else ENGLISH
    known = facts.read(messages)
    clauses = facts.clauses(text)
    questions = [clause for clause in clauses if facts.is_question(clause)]
    answers = [answer(question, known, messages[:at], say) for question in questions]
    if answers:
        return " ".join(dict.fromkeys(answers))
    if messages[-1].type == "tool":
        return say["done"].format(result=messages[-1].text)
    told = {fact.key: fact for clause in clauses for fact in facts.stated(clause)}
    noted = [say["noted"].format(key=label(key, say), value=fact.value) for key, fact in told.items() if fact.value]
    denied = [say["denied"].format(key=label(fact.key, say), value=fact.denied) for fact in told.values() if not fact.value]
    if noted or denied:
        return " ".join(noted + denied)
    return say["hello" if GREETING.match(text) else "okay" if THANKS.match(text) else "outside"]


def answer(question, known, earlier, say):
    """The reply to one question from the facts `known` and the messages before it; "I don't know" when they hold no answer."""
    keys = facts.asked(question)
    if keys == ["last question"]:
        return last_question(earlier, say)
    if keys == ["everything"]:
        told = "; ".join(f"{label(key, say)}: {fact.value}" for key, fact in known.items())
        return say["all"].format(facts=told) if told else say["nothing"]
    if not keys:
        return say["own name"] if OWN_NAME.search(question) else say["outside"]
    found = [key for key in keys if key in known]
    guess = facts.claimed(question, keys)
    if found and guess:
        value = known[found[0]].value
        return say["yes" if value.lower() == guess.lower() else "no"].format(key=label(found[0], say), value=value)
    if found:
        return " ".join(say["fact"].format(Key=_capital(label(key, say)), value=known[key].value) for key in found)
    return say["unknown"].format(key=label(keys[0], say))


def _capital(text):
    return text[:1].upper() + text[1:]


def last_question(earlier, say):
    for message in reversed(earlier):
        asked = [c for c in facts.clauses(message.text) if facts.is_question(c)] if message.type == "human" else []
        if asked:
            return say["last question"].format(question=asked[-1])
    return say["no question"]


def label(key, say):
    """How a reply names a key: "your order number", "tumhara order number"; "Arjun's city" needs no "your"."""
    if key in say["labels"]:
        return say["labels"][key]
    owner, _, rest = key.partition("'s ")
    if rest and owner not in facts.RELATIONS:
        return f"{owner.title()}'s {rest}" if say is ENGLISH else f"{owner.title()} ka {rest}"
    if say is HINGLISH and rest:
        return f"tumhare {owner} ka {'naam' if rest == 'name' else rest}"
    return f"{say['your']} {key}"


GREETING = re.compile(r"^\W*(?:hi|hello|hey|namaste|namaskar|good (?:morning|evening|afternoon))\b", re.I)
THANKS = re.compile(r"^\W*(?:ok(?:ay)?|thanks?|thank you|yes|no|haan|nahi|accha|theek hai|shukriya|dhanyavaad|bye)\b", re.I)
OWN_NAME = re.compile(r"\byour name\b|\bwho are you\b|\b(?:tumhara|aapka|tera) naam\b|\b(?:tum|aap) kaun\b", re.I)
ENGLISH = {
    "your": "your", "labels": {},
    "fact": "{Key} is {value}.",
    "yes": "Yes, {key} is {value}.",
    "no": "No, {key} is {value}.",
    "unknown": "I don't know {key}: it is not in the messages that I was given.",
    "noted": "Noted: {key} is {value}.",
    "denied": "Noted: {key} is not {value}.",
    "last question": "Your last question was: \"{question}\"",
    "no question": "I don't know: there is no earlier question in the messages that I was given.",
    "all": "This is what the messages say about you. {facts}.",
    "nothing": "I don't know anything about you: the messages that I was given say nothing.",
    "own name": "I have no name. I am the keyless model of this course.",
    "done": "Done. {result}",
    "okay": "Okay.",
    "hello": "Hello. What would you like to tell me or ask me?",
    "outside": "I don't know: that is outside of what I can do. I repeat facts from the messages that I was given, and nothing else.",
}
HINGLISH = {
    "your": "tumhara", "labels": {
        "name": "tumhara naam", "city": "tumhara sheher", "allergy": "tumhari allergy", "company": "tumhari company",
        "warranty": "tumhari warranty", "preference": "tumhari pasand", "contact preference": "tumhari contact preference",
        "job": "tumhari job", "dislike": "tumhari napasand cheez"},
    "fact": "{Key} {value} hai.",
    "yes": "Haan, {key} {value} hai.",
    "no": "Nahi, {key} {value} hai.",
    "unknown": "Mujhe nahi pata: {key} un messages mein nahi hai jo mujhe mile.",
    "noted": "Theek hai: {key} {value} hai.",
    "denied": "Theek hai: {key} {value} nahi hai.",
    "last question": "Tumhara pichhla sawaal tha: \"{question}\"",
    "no question": "Mujhe nahi pata: jo messages mujhe mile, unmein pehle ka koi sawaal nahi hai.",
    "all": "Messages mein tumhare baare mein yeh likha hai. {facts}.",
    "nothing": "Mujhe tumhare baare mein kuch nahi pata: jo messages mile, unmein kuch nahi hai.",
    "own name": "Mera koi naam nahi hai. Main is course ka keyless model hoon.",
    "done": "Ho gaya. {result}",
    "okay": "Theek hai.",
    "hello": "Namaste. Kya batana ya poochna chahte ho?",
    "outside": "Mujhe nahi pata: yeh mere bas ka nahi hai. Main sirf un messages ke facts dohra sakta hoon jo mujhe mile.",
}
UNKNOWN = ("I don't know", "Mujhe nahi pata", "Mujhe tumhare baare mein kuch nahi pata")
"""How every reply begins that gives no answer; the scoreboard tells "I don't know" from "wrong" by it."""


# --- tools ---------------------------------------------------------------------------------------------------------


def fill(tool, known):
    """A tool call whose arguments are the facts that its parameters name ("home_city" asks for `city`); others are None."""
    args = {}
    for name in tool["function"].get("parameters", {}).get("properties", {}):
        key = facts.canonical(name)
        args[name] = known[key].value if key in known else None
    return _call(tool, args)


def memory_call(text, tools):
    """The call of a saving or forgetting tool that the text asks for ("remember that …", "mera sheher bhool jao"), or None."""
    for verbs, names, keep in [(REMEMBER, r"save|remember|store|memor", facts.stated), (FORGET, r"forget|delete|remove", None)]:
        wanted = verbs.search(text)
        tool = next((t for t in tools if re.search(names, t["function"]["name"])), None)
        if not wanted or not tool or facts.is_question(text):
            continue
        content = (text[: wanted.start()] + text[wanted.end():]).strip(" .,:")
        told = next(iter(keep(content)), None) if keep else None
        key = told.key if told else facts.canonical(content)
        value = told.value if told else content
        properties = tool["function"].get("parameters", {}).get("properties", {})
        return _call(tool, {name: _argument(name, key, value, content) for name in properties})
    return None


REMEMBER = re.compile(r"\b(?:please )?(?:remember|note|save|keep in mind)(?: this| that)?:?\s|\b(?:yeh )?yaad (?:rakhna|rakho|rakhiye|rakh lo)(?: ki)?\b", re.I)
FORGET = re.compile(r"\b(?:please )?(?:forget|delete|remove)\b(?: about)?|\b(?:ko )?bhool (?:jao|jaao|jaiye)\b", re.I)


def _argument(name, key, value, content):
    if re.search(r"key|field|attribute|topic|category", name):
        return key
    return value if re.search(r"value", name) else content


def _call(tool, args):
    return {"name": tool["function"]["name"], "args": args, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "tool_call"}


# --- summaries -----------------------------------------------------------------------------------------------------


def summarise(text, words):
    """An extractive summary of at most `words` words: whole clauses, in their order, one line each, `speaker: clause`.

    Clauses are ranked by the mean frequency of their content words in the text (after H. P. Luhn, "The automatic
    creation of literature abstracts", IBM Journal 1958, without his windows), questions left out. A clause is kept or
    dropped, never rephrased, and a summary can be read back and summarised again.
    """
    clauses = list(dict.fromkeys(c for c in spoken_lines(text) if not facts.is_question(c[1])))
    content = [[w for w in re.findall(r"[\w:-]+", clause.lower()) if w not in STOPWORDS] for _, clause in clauses]
    frequency = Counter(word for found in content for word in found)
    score = [sum(frequency[w] for w in found) / len(found) if len(found) > 1 else 0 for found in content]
    kept, room = set(), words
    for i in sorted(range(len(clauses)), key=lambda i: (-score[i], i)):
        length = len(f"{clauses[i][0]}: {clauses[i][1]}".split())
        if score[i] and length <= room:
            kept.add(i)
            room -= length
    return "\n".join(f"{clauses[i][0]}: {clauses[i][1]}" for i in sorted(kept))


def spoken_lines(text):
    """(speaker, clause) pairs of a conversation written as `Human: …` lines, as LangChain's XML, or as an earlier summary.

    Tool calls are left out: their results say what came of them.
    """
    text = re.sub(r'<message type="(\w+)">(.*?)</message>', lambda m: f"{m[1]}: {m[2].strip()}", text, flags=re.S)
    speaker = "user"
    for line in html.unescape(text).splitlines():
        spoken = re.match(r"(?:[-*] )?(user|human|assistant|ai|tool|system): *", line, re.I)
        if spoken:
            speaker = {"human": "user", "ai": "assistant"}.get(spoken[1].lower(), spoken[1].lower())
        said = re.sub(r"\[\{'name': .*\}\]$", "", line[spoken.end():] if spoken else line)
        for _, clause in facts.spoken([HumanMessage(said)]):  # a tool's JSON becomes one clause for each value
            if not re.match(r"Here is a summary of|</?\w+", clause):
                yield speaker, clause
