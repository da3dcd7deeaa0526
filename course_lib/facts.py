"""Reading facts: which ones the messages of a prompt state, and which one a question asks for.

A fact is a pair `key: value`, such as `name: Meera Nair`. A text is cut into clauses. A clause is rewritten into one
spelling; then the rows of `patterns.py` find what it states or asks. Nothing is remembered between two calls: all
comes from the messages that are passed in.
"""

import html
import json
import re
from dataclasses import dataclass
from functools import lru_cache

from course_lib import patterns
from course_lib.patterns import NO_VALUES, NOT_NAMES, NOUNS, RELATION, SHAPES, compiled

LONGEST = 600
"""A clause of more characters is no sentence that a person says: it states nothing."""


@dataclass(frozen=True)
class Fact:
    """One statement. `value` is None where it denies `denied` ("I am not Fraz") or asks to forget the key."""

    key: str
    value: str | None
    clause: str
    denied: str | None = None


def _rewrite(text, rows):
    for pattern, replacement in rows:
        text = re.sub(pattern, replacement, text, flags=re.I)
    return text.strip()


# --- texts, clauses, questions ---------------------------------------------------------------------------------------


def is_hinglish(text):
    """Whether a text is to be answered in Hinglish: it holds at least one of the language's small words."""
    return bool(patterns.HINGLISH.search(text))


def is_question(clause):
    return bool(patterns.ASKS.search(clause)) and not patterns.REQUEST.search(clause)


def without_request(clause):
    """ "Can you remember that …?" without its first words: an order in the form of a question."""
    return patterns.REQUEST.sub("", clause)


def clauses(text):
    """Cut a text into clauses: at sentence ends and line ends, and where a new statement about the speaker begins."""
    text = patterns.LIST.sub(lambda found: patterns.LISTED.sub("\n", found[0]), text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [part for line in lines for part in map(str.strip, patterns.CUT.split(line)) if part]


def spoken(messages):
    """Yield (speaker, clause) for all text in the messages; lines such as `user: …` in a summary keep their speaker.

    Speakers are "user", "assistant", "tool", and "note" for a system message or a tool that reads the user's profile.
    """
    for _, speaker, clause in _spoken(messages):
        yield speaker, clause


def _spoken(messages):
    for i, message in enumerate(messages):
        speaker = _SPEAKERS.get(message.type, message.type)
        if speaker == "tool" and re.search(r"memor|recall|profile|user|customer", message.name or ""):
            speaker = "note"
        for line in message.text.splitlines():
            quoted = re.match(r"\s*(?:[-*•] )?(user|human|assistant|ai|tool|system): (?=\S)", line, re.I)
            said_by = _SPEAKERS.get(quoted[1].lower(), quoted[1].lower()) if quoted else speaker
            for part in _pairs(_unquoted(line[quoted.end() :]) if quoted else line):
                for clause in clauses(part):
                    yield i, said_by, clause


def said_by_user(messages):
    """The texts of the user, whole and in order: human messages, and those that a prompt quotes as `human: "…"`."""
    for message in messages:
        if message.type == "human":
            yield message.text
        else:
            yield from (json.loads(text) for text in re.findall(rf"^human: ({_STRING})$", message.text, re.M))


def _unquoted(text):
    """A JSON string as what it quotes; all of it was said by one speaker, whatever its lines look like."""
    return json.loads(text) if re.fullmatch(_STRING, text) else text


_STRING = r'"(?:[^"\\]|\\.)*"'
_SPEAKERS = {"human": "user", "ai": "assistant", "system": "note"}
_PAIR = re.compile(r"""["'](\w[\w ]*)["']\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d[\d.]*))""")


def _pairs(line):
    """A line with JSON or a printed dict in it as one `key: value` text a pair; any other line as it is."""
    for key, double, single, number in _PAIR.findall(line):
        value = json.loads(f'"{double}"', strict=False) if "\\" in double else double or single or number
        unit = re.fullmatch(r"(\w+)_(days|weeks|months|years)", key)
        yield f"{unit[1]}: {value} {unit[2]}" if unit else f"{key.replace('_', ' ')}: {value}"
    if not _PAIR.search(line):
        yield line


# --- statements ------------------------------------------------------------------------------------------------------


def read(messages):
    """The facts that a list of messages holds, as {key: Fact}; of two statements about one key the newest wins."""
    facts = {}
    for _, fact in statements(messages):
        _settle(facts, fact)
    _add_name_parts(facts)
    return facts


def statements(messages):
    """Yield (position of the message, Fact) for all that the messages state, in order."""
    held, said, fresh = [], [], False  # all; by the user or to the user about him; whether the newest was just now
    for i, speaker, clause in _spoken(messages):
        found = stated(clause, speaker)
        if speaker == "user" and held and [fact.key for fact in found] in ([], ["location"]):
            found = _amended(clause, held, said, fresh) or found
        for fact in found:
            yield i, fact
        held.extend(found)
        if speaker in ("user", "assistant"):
            said.extend(found)
            fresh = bool(found) or fresh and speaker == "assistant"


def _settle(facts, fact):
    """Let one statement change the facts read so far."""
    old, opposite = facts.get(fact.key), facts.get(OPPOSITE.get(fact.key))
    if opposite and fact.value and same(fact.value, opposite.value):
        del facts[opposite.key]
    if fact.key == "everything":
        facts.clear()
    elif fact.value is None:
        if old and (fact.denied is None or same(fact.denied, old.value)):
            del facts[fact.key]
    elif old and fact.key in MANY and re.search(r"\b(?:also|too|bhi)\b", fact.clause):
        facts[fact.key] = Fact(fact.key, f"{old.value}, {fact.value}", fact.clause)
    else:
        facts[fact.key] = fact
        if old and not same(old.value, fact.value):
            facts[f"previous {fact.key}"] = old


def _amended(clause, held, said, fresh):
    """A new value for a fact that was stated before: "Sorry, I meant Faraz" for the last one that was said.

    "Fraz nahi, Faraz" tells the old value too: it amends the last of all facts held that has it.
    """
    if len(clause) > LONGEST or is_question(clause):
        return []
    text = _rewrite(clause, patterns.SPELLING)
    for match in filter(None, (re.match(pattern, text, re.I) for pattern in patterns.INSTEAD)):
        old = set(match["old"].lower().split())
        fact = next((f for f in reversed(held) if f.value and old <= set(f.value.lower().split())), None)
        if fact and (value := _value(fact.key, match["new"], weak=True)):
            return [Fact(fact.key, value, clause)]
    value = _meant(clause, text, said[-1], fresh) if said else ""
    return [Fact(said[-1].key, value, clause)] if value else []


def _meant(clause, text, last, fresh):
    """The value that a clause puts in the place of the last one: "I meant Faraz", "No, it's Faraz".

    Right after it (`fresh`), "No, Faraz" is enough.
    """
    meant = re.search(r"\b(?:i meant|mera matlab(?: tha)?) (.+)$", text, re.I)
    if not meant and (last.value is None or re.match(r"\W*(?:arre )?(?:no|nahi|sorry|oops|actually)\b", clause, re.I)):
        meant = re.match(r"(?:it is|that is) (?!an? )(.+)$|((?-i:[A-Z\d])[\w-]*) hai\b", text, re.I)
    if meant:
        return _value(last.key, meant[meant.lastindex], weak=True)
    return _bare(last.key, text) if fresh and last.value and patterns.NO.match(clause) else ""


def _bare(key, text):
    """The value of `key` that is all of a text, such as "Faraz" or "Ujjain mein"; or ""."""
    shape = _shape(key.rpartition("'s ")[2])
    found = re.fullmatch(rf"({SHAPES['place' if shape == 'words' else shape]})( me(?:in)?| se)?( hai)?\W*", text)
    city = found and (found[2] or re.fullmatch(patterns.CITIES, found[1], re.I))
    if not found or (shape == "name" and city) or found[1].lower() in NO_VALUES | patterns.NO_ANSWERS:
        return ""
    return _value(key, found[1], weak=True)


def _add_name_parts(facts):
    if "name" not in facts and "first name" in facts:
        parts = [facts[key].value for key in ("first name", "last name") if key in facts]
        facts["name"] = Fact("name", " ".join(parts), facts["first name"].clause)
    words = [word for word in facts["name"].value.split() if word.rstrip(".") not in TITLES] if "name" in facts else []
    if len(words) > 1:
        facts.setdefault("first name", Fact("first name", words[0], facts["name"].clause))
        facts.setdefault("last name", Fact("last name", words[-1], facts["name"].clause))


def is_derived(key):
    return key in ("first name", "last name") or key.startswith("previous ")


MANY = ("allergy", "preference", "dislike", "product")
"""Facts of which there may be several at a time."""
OPPOSITE = {"preference": "dislike", "dislike": "preference"}
TITLES = ("Dr", "Mr", "Mrs", "Ms", "Prof", "Shri", "Smt")


def same(one, other):
    """Whether two values name the same thing: equal but for case, or all words of the shorter in the longer."""
    one, other = ({patterns.SAME_WORD.get(word, word) for word in text.lower().split()} for text in (one, other))
    return one <= other or other <= one


@lru_cache(maxsize=4096)  # a prompt is read anew for each answer, most of its clauses not for the first time
def stated(clause, speaker="user"):
    """The facts that one clause states about the user. Questions, suppositions and reported speech state nothing."""
    if len(clause) > LONGEST or is_question(clause):
        return ()
    if speaker == "assistant" and re.search(r"\b(?:I|[Mm]y|[Mm]ain|[Mm]er[aei]|[Mm]ujhe)\b", clause):
        return ()  # the assistant speaks of itself
    text = _rewrite(without_request(clause), patterns.AS_USER.get(speaker, []) + patterns.SPELLING)
    if speaker == "user" and (keys := forgotten(text)):
        return tuple(Fact(key, None, clause) for key in keys)
    text = _rewrite(patterns.REPORTED.split(text)[0], patterns.CORRECTIONS)
    labelled = _labelled(text, clause, speaker)
    if labelled and labelled.key in NOUNS:
        return (labelled,)
    return (*_facts(text, clause, speaker), *filter(None, [labelled]))


def forgotten(text):
    """The keys that "forget my city", "mera sheher bhool jao" ask to forget."""
    found = patterns.FORGET.search(text)
    if not found:
        return []
    rest = f"{text[: found.start()]} {text[found.end() :]}".strip(" .,!")
    if re.search(r"^(?:everything|all|sab(?: kuch)?)\b", rest, re.I):
        return ["everything"]
    return asked(rest) or [fact.key for fact in stated(re.sub(r"^that ", "", rest))]  # "forget that I live in Pune"


def _labelled(text, clause, speaker):
    """`KEY: VALUE` in a note or a tool result; a person's or an assistant's only where the key is a known noun."""
    label = re.match(r"(?:[-*•] )?(?P<noun>[A-Za-z][\w'’ -]{1,30}): (?P<v>\S.*)$", text)
    key = label and field_key(label["noun"])
    if not key or (speaker in ("user", "assistant") and key not in NOUNS):
        return None
    if speaker == "tool" and key in ("name", "city", "email", "phone number"):
        return None  # {"name": "Copper kettle"} is not the user's name
    value = _value(key, label["v"]) if key in NOUNS else label["v"].strip("\"' .")
    return Fact(key, value, clause) if value else None


def _facts(text, clause, speaker="user"):
    denial = patterns.DENIAL.search(text)
    text = text[: denial.start()] + text[denial.end() :] if denial else text
    found = {}
    for key, match, weak in [*_sentences(text), *_owned(text, speaker)]:
        value = _value(key, _restored(denial, match, text), weak and key == "name")
        told = key not in NOUNS and any(same(value, fact.value or fact.denied) for fact in found.values())
        if not value or key in found or told:  # told: "mera order KB-77 hai" is an `order number`, and no `order`
            continue
        if not (denial and _denies(denial, match, text)):
            found[key] = Fact(key, value, clause)
        else:
            found[key] = Fact(key, None, clause, denied=value)
            if key == "preference":
                found["dislike"] = Fact("dislike", value, clause)
    return found.values()


def _restored(denial, match, text):
    """The value of a match, with a "not" in its midst put back; "nahi hai" at its end is no part of it."""
    start, end = match.span("v")
    at = denial.start() if denial else end
    if start < at < end and re.fullmatch(patterns.AFTER_NO, text[at:end], re.I):
        return text[start:at]
    return text[start:at] + denial[0] + text[at:end] if start < at < end else match["v"]


def _denies(denial, match, text):
    """Whether the "not" that was cut out belongs to the match: "order KB-1 has not come" denies no number."""
    at = denial.start()
    if match.start() <= at <= match.start("v"):
        return True
    between, after = text[match.end("v") : at], text[at:]
    if at < match.start() or not re.fullmatch(patterns.BEFORE_NO, between, re.I):
        return False
    if denial[0].lower().startswith("mat"):
        return between.strip() != ""  # "WhatsApp par mat karna", and not "mera naam Fraz hai, bhoolna mat"
    return denial[0].lower().startswith("nahi") and re.match(patterns.AFTER_NO, after, re.I) is not None


def _sentences(text):
    for table in (patterns.SENTENCES, patterns.THINGS):
        for key, pattern in table:
            for match in compiled(pattern).finditer(text):
                owner = _owner(text[: match.start()]) if table is patterns.THINGS else ""
                if owner is not None:
                    yield owner + _filled(key, match), match, True


def _owned(text, speaker):
    for pattern in patterns.OWNED + (patterns.LOOSE if speaker == "user" else []):
        match = compiled(pattern).search(text)
        if match and match["noun"].lower() not in RELATION:
            yield _owners(match) + canonical(match["noun"]), match, False


def _filled(key, match):
    """The key of a row whose pattern holds {rel} or {event}."""
    groups = match.groupdict()
    event = re.sub(r"pick[ -]?up", "pickup", (groups.get("event") or "").lower())
    return key.format(rel=RELATION.get((groups.get("rel") or "").lower()), event=event)


def _owners(match):
    other = match.groupdict().get("other")
    return f"{RELATION.get(other.lower(), other.lower())}'s " if other else ""


def _owner(before):
    """Whose thing comes after these words: "" the user's, "brother's " somebody's, None that of nobody we can name."""
    found = [*compiled(patterns.OWNER).finditer(before)]
    if not found:
        return ""
    rel, who = found[-1]["rel"], found[-1]["who"] or found[-1]["subject"]
    return f"{RELATION[rel.lower()]}'s " if rel else f"{who.lower()}'s " if who else None


def canonical(noun):
    """The key for a noun phrase in either language: "full name" is `name`, "bhai ka naam" is `brother's name`."""
    noun = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s]+", " ", noun.strip()).lower()
    noun = re.sub(r"^(?:(?:my|mer[aei]|our|the|an?|is|new|current|present|nay[aei]) )+", "", noun)
    known = next((key for key, (pattern, _) in NOUNS.items() if re.fullmatch(pattern, noun)), None)
    if known or not noun:
        return known or noun
    owned = re.match(rf"({'|'.join(RELATION)})(?:'s| ka| ki| ke)? (.+)$", noun) or re.match(
        r"(\w+)(?:'s| ka| ki| ke) (.+)$", noun
    )
    if owned:
        return f"{RELATION.get(owned[1], owned[1])}'s {canonical(owned[2])}"
    return " ".join(patterns.SAME_WORD.get(word, word) for word in noun.split())


def field_key(name):
    """The key for a field or label such as `user_name` or `orderNumber`."""
    return canonical(re.sub(r"^(?:the )?(?:user|customer|client)(?:'?s)?[ _]", "", name.strip(), flags=re.I))


def _value(key, text, weak=False):
    """The value in `text` that `key` can have, or "": an order number has a digit, a name is no adjective."""
    base = key.rpartition("'s ")[2]
    shape = _shape(base)
    text = re.sub(
        r"^(?:(?:actually|now|also|still|really|just|toh|ab|hi|yeh|hai|is|#|:)(?:[ :]+|$))+",
        "",
        text.strip(" \"'“”"),
        flags=re.I,
    )
    if patterns.VERB.match(text):
        return ""
    if shape == "name":
        return _name(text, weak)
    if shape != "words":
        found = re.search(SHAPES[shape], text)
        return found[0].strip("#") if found else ""
    value = text if re.search(r" (?:and|aur) |^\d", text) else re.split(r",(?!\d)", text)[0]
    value = re.split(r" - | \(|[;!?]", value)[0]
    value = _TAIL.sub("", re.sub(r"^(?:an?|the) ", "", value)).strip(" \"'“”.")
    first = value.split(" ")[0]
    if len(value) > 80 or (base in NOUNS and (first in NO_VALUES or first.lower() in _NO_VALUE)):
        return ""
    return value


def _shape(noun):
    """The name of the shape that the value of a noun has; of an unlisted one its last word may tell: "flight time"."""
    if noun in NOUNS:
        return NOUNS[noun][1]
    last = noun.split()[-1]
    return last if last in ("day", "date", "time") else "words"


_NO_VALUE = (
    "forget it this that them something anything nothing everything yesterday today last online again ago"
    " ho hua hui".split()
)
_TAIL = re.compile(
    r"(?:[\s.!,]+(?:hai|hain|hoon|tha|thi|now|please|actually|instead|by the way|only|hi|ab|yaar|ji|thanks|too|also|na"
    r"|rakh do)?)+$",
    re.I,
)


def _name(text, weak):
    """The name that a text begins with. `weak`: after "I am", where an adjective is as likely."""
    capital = re.match(SHAPES["name"], text)
    words = (capital[0] if capital else re.split(r"[,.!?(;]| (?:and|aur|from|but|hai|h|tha|please)\b", text)[0]).split()
    name = " ".join(words).rstrip(".")
    if (
        not words
        or len(words) > 6
        or name.endswith("'s")
        or (weak and (not capital or name.isupper() and len(name) > 3))
    ):
        return ""
    if any(word.lower().strip(".,") in NOT_NAMES for word in (words if weak or not capital else words[:1])):
        return ""
    plausible = all(re.fullmatch(rf"[^\W\d_](?:[^\W\d_]|[{patterns.MARKS}'.-])*", word) for word in words)
    return (
        name
        if plausible and (capital or len(words) <= 3 and not re.search(r"(?:ing|able|ible|ful|less)\b", name))
        else ""
    )


# --- questions -------------------------------------------------------------------------------------------------------


def _question_text(question):
    return _rewrite(html.unescape(question), patterns.SPELLING).rstrip("?.! ")


def asked(question, known=()):
    """The keys that a question asks for: ["name"] for "what is my name?", [] when it asks for none.

    known: further keys that may be asked for without "my", as in "what is the wifi password?".
    """
    text = _question_text(question)
    if len(text) > LONGEST:
        return []
    keys = []
    also = compiled(patterns.ALSO).search(text)
    text = text[: also.start()] if also else text
    for key, pattern in patterns.QUESTIONS:
        match = compiled(pattern).search(text)
        owner = _owner(text[: match.start(match.lastgroup or 0)]) if match else None
        if owner is not None:
            keys.append(("" if "rel" in match.groupdict() else owner) + _filled(key, match))
    keys = list(dict.fromkeys(keys or _asked_nouns(text, known)))
    return [*keys, f"{RELATION[also['rel'].lower()]}'s {keys[0]}"] if also and keys else keys


def _asked_nouns(text, known):
    for match in compiled(patterns.ASKED_NOUN).finditer(text):
        if match["noun"].lower() in RELATION and patterns.OF_WHOM.search(text):
            continue
        yield _owners(match) + _noun(match["noun"])
        for more in re.split(r"(?:,| and| aur) (?:my |mer[aei] )?", match["more"])[1:]:
            yield canonical(more)
    if not compiled(patterns.ASKED_NOUN).search(text):
        bare = compiled(patterns.BARE_NOUN).search(text)
        key = canonical(bare["noun"]) if bare else None
        if key and (key in NOUNS or key in known):
            yield key


def _noun(words):
    """The key in the words after "my": "name Amit" and "name dear" are `name`; "name plate number" is not."""
    words = words.split()
    for end in range(len(words), 0, -1):
        key = canonical(" ".join(words[:end]))
        if key in NOUNS and sum(not word[0].isupper() for word in words[end:]) <= 1:
            return key
    key = canonical(" ".join(words))
    return f"{RELATION[key]}'s name" if key in RELATION else key


def claimed(question):
    """The facts that a yes-or-no question puts forward: `name: Fraz` for "Is my name Fraz?"."""
    text = _question_text(question)
    if len(text) > LONGEST or patterns.FORGET.search(text):
        return []
    for pattern, statement in patterns.CLAIMS:
        if re.search(pattern, text, re.I):
            said = re.sub(pattern, statement, text, flags=re.I)
            told = [f for f in _facts(said, question) if f.value and not patterns.ASKS.search(f.value)]
            if told:
                return told
    return []
