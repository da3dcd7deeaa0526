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

from course_lib import facts, patterns, tokens

SETTING = "COURSE_MODEL"
MARKER = "[course summary, at most {words} words]"


def chat_model(name=None):
    """The model of the lessons: keyless, or a real one named "provider:model".

    name: for example "openai:gpt-4o-mini"; None reads the environment variable COURSE_MODEL, and if that is not set
        either, returns a KeylessChatModel.
    Raises RuntimeError with what to do: no provider in the name, a package missing, or the key refused.
    """
    name = name or os.environ.get(SETTING, "").strip()
    if not name or name == "keyless":
        return KeylessChatModel()
    provider = name.partition(":")[0]
    if provider == name:
        raise RuntimeError(
            f"The model {name!r} needs its provider in front, as in {SETTING}=openai:gpt-4o-mini. "
            f"Leave {SETTING} unset for the keyless model."
        )
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(name, temperature=0)
    except ImportError as error:
        raise RuntimeError(
            f"The model {name!r} needs a package that is not installed: pip install langchain-{provider} ({error})."
        ) from error
    except Exception as error:  # each provider has its own classes for a missing or malformed key
        says = (str(error) or type(error).__name__).splitlines()[0]
        raise RuntimeError(f"The model {name!r} could not be set up: is its API key set? It says: {says}") from error


def summary_prompt(words=60):
    """A prompt for a summary of at most `words` words, with the slot `{messages}` for the conversation.

    Give it to `SummarizationMiddleware(summary_prompt=…)`, or fill it with `get_buffer_string(messages)`. The earlier
    summary goes first in the conversation, as a message or as lines of the form `user: …`.
    """
    order = "Summarise this conversation. Keep what the user will need later."
    return f"{MARKER.format(words=words)}\n{order}\n\n{{messages}}"


class KeylessChatModel(BaseChatModel):
    """A stand-in that makes memory visible. It is not a language model.

    It reads its prompt, and nothing else, and answers in English or Hinglish by the tables of `course_lib.patterns`:
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
        calls = [
            {
                "name": call["name"],
                "args": json.dumps(call["args"]),
                "id": call["id"],
                "index": i,
                "type": "tool_call_chunk",
            }
            for i, call in enumerate(reply.tool_calls)
        ]
        *pieces, last = re.findall(r"\s*\S+\s*", reply.content) or [reply.content]
        for piece in pieces:
            yield ChatGenerationChunk(message=AIMessageChunk(piece))
        end = AIMessageChunk(last, tool_call_chunks=calls, usage_metadata=reply.usage_metadata)
        yield ChatGenerationChunk(message=end)


# --- replies -------------------------------------------------------------------------------------------------------


def respond(messages, tools=(), tool_choice=None):
    """The AIMessage that answers a prompt: a summary, tool calls, or text. It depends on the arguments alone."""
    if not messages:
        return AIMessage("I was given an empty prompt, so there is nothing to answer.")
    last = messages[-1]
    marker = re.match(re.escape(MARKER).replace(r"\{words\}", r"(\d+)"), last.text)
    if marker:
        conversation = last.text[marker.end() :].partition("\n\n")[2]  # the instruction itself is not part of it
        return AIMessage(summarise(conversation, int(marker[1])))
    if isinstance(tool_choice, dict):  # the form of OpenAI's API
        tool_choice = tool_choice.get("function", {}).get("name", "any")
    forced = [tool for tool in tools if tool["function"]["name"] == tool_choice]
    if last.type == "human" and not forced and (calls := memory_calls(last.text, tools)):
        return AIMessage("", tool_calls=calls)
    if tools and tool_choice not in (None, "auto", "none", False):
        return AIMessage("", tool_calls=[fill((forced or tools)[-1], messages)])
    return AIMessage(reply_text(messages))


def reply_text(messages):
    """Answer the newest human message: acknowledge what it states, and answer each question in it."""
    at = max((i for i, message in enumerate(messages) if message.type == "human"), default=None)
    if at is None:
        return ENGLISH["no question asked"]
    text = messages[at].text
    say = HINGLISH if facts.is_hinglish(text) else ENGLISH
    told = {fact.key: fact for i, fact in facts.statements(messages) if i == at}
    if "dislike" in told and "preference" in told and not told["preference"].value:  # one sentence says both
        del told["preference"]
    questions = [clause for clause in facts.clauses(text) if facts.is_question(clause)]
    if questions:
        known = facts.read(messages)
        answers = " ".join(dict.fromkeys(answer(question, known, messages[:at], say) for question in questions))
        new = [noted(fact, say) for fact in told.values() if not fact.value or fact.value not in answers]
        return " ".join([*new, answers])
    results = [message.text for message in messages[at + 1 :] if message.type == "tool"]
    if results:
        return say["done"].format(result=" ".join(dict.fromkeys(results)))
    if told:
        return " ".join(noted(fact, say) for fact in told.values())
    return say["hello" if GREETING.match(text) else "okay" if THANKS.match(text) else "outside"]


def answer(question, known, earlier, say):
    """The reply to one question from the facts `known` and the messages before it; "I don't know" without an answer."""
    claims = facts.claimed(question)
    keys = [claim.key for claim in claims] or facts.asked(question, known)
    if keys[:1] in (["last question"], ["last message"]):
        return last_said(keys[0], earlier, say)
    if keys[:1] == ["everything"]:
        told = "; ".join(f"{label(key, say)}: {known[key].value}" for key in known if not facts.is_derived(key))
        return say["all"].format(facts=told) if told else say["nothing"]
    if not keys:
        return say["own name"] if OWN_NAME.search(question) else say["outside"]
    found = [key for key in keys if key in known]
    if not found:
        return say["unknown"].format(key=label(keys[0], say))
    replies = {key: say["fact"] for key in found}
    for claim in claims:
        if claim.key in known and facts.same(claim.value, known[claim.key].value):
            replies[claim.key] = say["yes"]
        elif claim.key in known and claim.key not in facts.MANY:  # who likes tea may like coffee as well
            replies[claim.key] = say["no"]
    return " ".join(sentence(text, key, known[key].value, say) for key, text in replies.items())


def sentence(text, key, value, say):
    """A sentence about a fact: "Your hobbies are …", "Tumhara naam … hai."."""
    name = label(key, say)
    plural = re.search(r"[^s'u]s$", key) is not None
    return text.format(key=name, Key=name[:1].upper() + name[1:], value=value, be=say["be"][plural])


def noted(fact, say):
    kind = "noted" if fact.value else "denied" if fact.denied else "forgot"
    return sentence(say[kind], fact.key, fact.value or fact.denied, say)


def last_said(key, earlier, say):
    """The newest question, or the newest message, of the user."""
    for said in reversed([*facts.said_by_user(earlier)]):
        if not said.startswith("Here is a summary of"):
            found = [said] if key == "last message" else [*filter(facts.is_question, facts.clauses(said))]
            if found:
                return say[key].format(text=found[-1])
    return say["no " + key]


def label(key, say):
    """How a reply names a key: "your order number", "tumhara order number"; "Arjun's city" needs no "your"."""
    owner, _, noun = key.rpartition("'s ")
    known_owner = owner in patterns.RELATIONS
    if key == "everything":
        return "everything before this" if say is ENGLISH else "pehle ka sab kuch"
    if say is ENGLISH:
        return f"your {key}" if not owner or known_owner else f"{owner.title()}'s {noun}"
    noun = say["nouns"].get(noun, noun)
    ending = "i" if noun.split()[-1] in say["feminine"] else "a"
    if not owner:
        return f"tumhar{ending} {noun}"
    relative = say["relatives"].get(owner, owner)
    mine = f"tumhar{'i' if relative in say['feminine'] else 'e'} {relative}"
    return f"{mine if known_owner else owner.title()} k{ending} {noun}"


GREETING = re.compile(r"^\W*(?:hi|hello|hey|namaste|namaskar|good (?:morning|evening|afternoon))\b", re.I)
THANKS = re.compile(
    r"^\W*(?:ok(?:ay)?|thanks?|thank you|yes|no|haan|nahi|accha|theek hai|shukriya|dhanyavaad|bye)\b", re.I
)
OWN_NAME = re.compile(r"\byour name\b|\bwho are you\b|\b(?:tumhara|aap ?ka|tera) naam\b|\b(?:tum|aap) kaun\b", re.I)
ENGLISH = {
    "be": ("is", "are"),
    "fact": "{Key} {be} {value}.",
    "yes": "Yes, {key} {be} {value}.",
    "no": "No, {key} {be} {value}.",
    "unknown": "I don't know {key}: it is not in the messages that I was given.",
    "noted": "Noted: {key} {be} {value}.",
    "denied": "Noted: {key} {be} not {value}.",
    "forgot": "Okay, I leave {key} out of my answers.",
    "last question": 'Your last question was: "{text}"',
    "no last question": "I don't know: there is no earlier question in the messages that I was given.",
    "last message": 'Your last message was: "{text}"',
    "no last message": "I don't know: there is no earlier message of yours in the messages that I was given.",
    "all": "This is what the messages say about you. {facts}.",
    "nothing": "I don't know anything about you: the messages that I was given say nothing.",
    "own name": "I have no name. I am the keyless model of this course.",
    "done": "Done. {result}",
    "okay": "Okay.",
    "hello": "Hello. What would you like to tell me or ask me?",
    "outside": "I don't know: that is outside of what I can do. "
    "I repeat facts from the messages that I was given, and nothing else.",
    "no question asked": "There is no question in my prompt.",
}
HINGLISH = {
    "be": ("hai", "hain"),
    "fact": "{Key} {value} {be}.",
    "yes": "Haan, {key} {value} {be}.",
    "no": "Nahi, {key} {value} {be}.",
    "unknown": "Mujhe nahi pata: {key} un messages mein nahi hai jo mujhe mile.",
    "noted": "Theek hai: {key} {value} {be}.",
    "denied": "Theek hai: {key} {value} nahi {be}.",
    "forgot": "Theek hai, {key} ab mere jawaabon mein nahi aayega.",
    "last question": 'Tumhara pichhla sawaal tha: "{text}"',
    "no last question": "Mujhe nahi pata: jo messages mujhe mile, unmein pehle ka koi sawaal nahi hai.",
    "last message": 'Tumhara pichhla message tha: "{text}"',
    "no last message": "Mujhe nahi pata: jo messages mujhe mile, unmein tumhara pehle ka koi message nahi hai.",
    "all": "Messages mein tumhare baare mein yeh likha hai. {facts}.",
    "nothing": "Mujhe tumhare baare mein kuch nahi pata: jo messages mile, unmein kuch nahi hai.",
    "own name": "Mera koi naam nahi hai. Main is course ka keyless model hoon.",
    "done": "Ho gaya. {result}",
    "okay": "Theek hai.",
    "hello": "Namaste. Kya batana ya poochna chahte ho?",
    "outside": "Mujhe nahi pata: yeh mere bas ka nahi hai. "
    "Main sirf un messages ke facts dohra sakta hoon jo mujhe mile.",
    "nouns": {
        "name": "naam",
        "city": "sheher",
        "age": "umar",
        "preference": "pasand",
        "dislike": "napasand cheez",
        "favourite food": "favourite khana",
    },
    "relatives": {
        "brother": "bhai",
        "sister": "behen",
        "mother": "maa",
        "father": "papa",
        "friend": "dost",
        "son": "bete",
        "daughter": "beti",
        "wife": "biwi",
        "husband": "pati",
        "neighbour": "padosi",
        "dog": "kutte",
        "cat": "billi",
        "uncle": "chacha",
        "aunt": "chachi",
    },
    "feminine": "umar pasand cheez allergy company warranty preference job date choice movie car id key file diet"
    " behen maa beti biwi billi chachi".split(),
}
UNKNOWN = ("I don't know", "Mujhe nahi pata", "Mujhe tumhare baare mein kuch nahi pata")
"""How every reply begins that gives no answer; the scoreboard tells "I don't know" from "wrong" by it."""


# --- tools ---------------------------------------------------------------------------------------------------------

REMEMBER = re.compile(
    r"(?:^|(?<=, )|(?<=\bplease )|(?<=\byou ))(?:please )?(?:remember|save|note|keep in mind|don['’]t forget"
    r"|do not forget)(?: this| that| it| down)*(?:[:,]? |$)(?!to )"
    r"|,? ?\b(?:yeh |isse )?yaad (?:rakhna|rakho|rakhiye|rakh lo|rakh lena)\b(?: ki\b)?,? ?",
    re.I,
)
KEEPING = r"(?:save|remember|store|memori|note|add|put|write|upsert)"
FORGETTING = r"(?:forget|delete|remove|erase)"


def memory_calls(text, tools):
    """The calls of saving and forgetting tools that a message asks for: "remember that …", "mera sheher bhool jao"."""
    calls, before = [], ""
    keeper, forgetter = _memory_tool(KEEPING, tools), _memory_tool(FORGETTING, tools)
    for said in (part for part in re.split(r"(?<=[.!?])\s+|\n+", text) if not facts.is_question(part)):
        told = [fact for clause in facts.clauses(said) for fact in facts.stated(clause)]
        if forgetter and (keys := [fact.key for fact in told if fact.value is fact.denied is None]):
            calls += [_call(forgetter, key=key, value=None, content=key) for key in keys]
        elif keeper and REMEMBER.search(said):
            content = REMEMBER.sub("", facts.without_request(said)).strip(" .,:!?") or before
            told = [fact for clause in facts.clauses(content) for fact in facts.stated(clause) if fact.value]
            told = told or [facts.Fact("note", content, said)]
            if not any(KEY.search(name) for name in _properties(keeper)):
                told = told[:1]  # the tool takes a text: one call holds all of it
            calls += [_call(keeper, key=fact.key, value=fact.value, content=content) for fact in told if content]
        before = said.strip(" .,!")
    return calls


KEY = re.compile(r"key|field|attribute|topic|category")


def _memory_tool(names, tools):
    """The first tool that is named like this and takes nothing but a text, or a key and a value."""
    takes = rf"{KEY.pattern}|value|content|text|memory|note|fact|information|statement"
    fits = (
        t for t in tools if re.match(names, t["function"]["name"]) and all(re.search(takes, p) for p in _properties(t))
    )
    return next(fits, None)


def _properties(tool):
    return tool["function"].get("parameters", {}).get("properties", {})


def _call(tool, **parts):
    """A tool call; each argument is the key, the value or the content, whichever its name asks for."""
    kinds = {
        name: "key" if KEY.search(name) else "value" if "value" in name else "content" for name in _properties(tool)
    }
    return _tool_call(tool, {name: parts[kind] for name, kind in kinds.items()})


def _tool_call(tool, args):
    return {"name": tool["function"]["name"], "args": args, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "tool_call"}


def fill(tool, messages):
    """A tool call whose arguments are the facts that its parameters name ("home_city": `city`); others are None.

    A list named like "forget" gets what the user takes back: "city", or "city: Pune" for "I don't live in Pune".
    A tool whose description speaks of "the newest message" gets only what that one tells; the rest explains it.
    """
    known, args = facts.read(messages), {}
    alone = "the newest message" in tool["function"].get("description", "")
    newest = facts.clauses(messages[-1].text)
    for name, schema in _properties(tool).items():
        found = known.get(facts.field_key(name))
        told = found and (not alone or found.clause in newest)
        args[name] = _fit(found.value if told else None, schema)
        if re.match(FORGETTING, name) and args[name] == _fit(None, schema):
            taken_back = [
                fact
                for i, fact in facts.statements(messages)
                if fact.value is None and (not alone or i == len(messages) - 1)
            ]
            args[name] = [f"{f.key}: {f.denied}" if f.denied else f.key for f in taken_back] or args[name]
    return _tool_call(tool, args)


def _fit(value, schema):
    """A value as the schema's type has it: a text, a number, or a list of one; None (or []) where it does not fit."""
    kinds = {part.get("type") for part in [schema, *schema.get("anyOf", [])]}
    if "array" in kinds:
        return [value] if value else None if "null" in kinds else []
    if value and "string" not in kinds and kinds & {"integer", "number"}:
        number = re.fullmatch(
            r"\D*?(\d[\d,]*(?:\.\d+)?)(?: [a-z]+)?", value
        )  # "Rs 2,499", "18 months", not "KB-4471-X"
        return float(number[1].replace(",", "")) if number else None
    return value if kinds & {"string", None} and value in schema.get("enum", [value]) else None


# --- summaries -----------------------------------------------------------------------------------------------------

STOPWORDS = set(
    """a an the and or but of to in on at for with by from as is am are was were be been it its this that these those i
    you he she we they me my your his her our their not no do did does done have has had will would can could so
    if then than there here what which who how when where please thanks thank ok okay yes hai hain tha thi the
    ho hoon ka ki ke ko se par pe mein main mera meri mere mujhe maine aap aapki aapka aapke toh bhi hi na nahi
    haan ji kya kar karo kiya ek yeh woh aur ya jo bas ab abhi phir""".split()
)


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
    """(speaker, clause) pairs of a conversation: `Human: …` lines, LangChain's XML, or an earlier summary.

    Tool calls are left out: their results say what came of them.
    """
    text = re.sub(r"<tool_call [^>\n]*>[^<\n]*</tool_call>|</?content>|</message>", "", text)
    text = html.unescape(re.sub(r'<message type="(\w+)">\s*', r"\n\1: ", text))
    speaker = "user"
    for line in text.splitlines():
        spoken = re.match(r"\s*(?:[-*] )?(user|human|assistant|ai|tool|system): *", line, re.I)
        if spoken:
            speaker = {"human": "user", "ai": "assistant"}.get(spoken[1].lower(), spoken[1].lower())
        said = re.sub(r"\[\{'name': .*\}\]$", "", line[spoken.end() :] if spoken else line)
        for _, clause in facts.spoken([HumanMessage(said)]):  # a tool's JSON becomes one clause for each value
            if not clause.startswith("Here is a summary of"):
                yield speaker, clause
