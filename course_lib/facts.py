"""What the keyless model can read: two tables of patterns for English and Hinglish, and the code that applies them.

A fact is a pair `key: value`, such as `name: Meera Nair`. Text is cut into clauses; each clause either states facts or
asks for them. Nothing is remembered between two calls: all comes from the messages that are passed in.
"""

import html
import json
import re
from dataclasses import dataclass
from functools import lru_cache

CODE = r"#?\b(?i:(?=[A-Z0-9-]*\d)[A-Z0-9]+(?:-[A-Z0-9]+)*)\b(?![:,.]\d)"
LETTERED_CODE = r"\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*\b"
MONEY = r"(?:(?:\bRs\.?|\bINR|₹|\$)\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*\s?(?i:rupees|rupaye|rupay)\b)"
TIME = r"\b\d{1,2}(?::\d{2})?\s?(?i:am|pm|baje)\b|\b\d{1,2}:\d{2}\b"
DAY = r"\b(?i:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?i:som|mangal|budh|guru|shukr|shani|ravi)vaa?r\b"
MONTH = r"(?i:january|february|march|april|may|june|july|august|september|october|november|december)"
DATE = rf"\b\d{{1,2}}(?:st|nd|rd|th)? {MONTH}\b|\b{MONTH} \d{{1,2}}\b"
SPAN = r"\b\d+[ -](?i:days?|weeks?|months?|years?|din|hafte|mahine|saal)\b"
CHANNEL = r"\b(?:WhatsApp|whatsapp|SMS|sms|e-?mail|Telegram)\b"
EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
PHONE = r"(?:\+\d{1,3}[ -]?)?\b\d{5}[ -]?\d{5}\b"
PAYMENT = r"\b(?i:UPI|credit card|debit card|cash on delivery|cash|net ?banking|card)\b"
THING = r"(?P<v>[^,.;!?()]+?)"
WORD = r"[A-Za-z][\w.'’-]*"
PROPER = r"(?P<v>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2})"

# A value with a shape of its own: wherever a clause holds one of the words and such a value, that is the fact.
# key, words that must stand in the clause, shape of the value, words that ask for it
SHAPED = [
    ("refund reference", r"refund", LETTERED_CODE, r"reference|number|code|\bid\b"),
    ("refund amount", r"refund", MONEY, r"how much|amount|kitn[aei]|paise"),
    ("order number", r"order(?!ed)", CODE, r"number|\bno\b|\bid\b|code|which|kaunsa"),
    ("ticket number", r"ticket|complaint", CODE, r"number|\bno\b|\bid\b|code"),
    ("coupon code", r"coupon|promo code|discount code", CODE, r"coupon|code"),
    ("amount paid", r"paid|pay|payment|amount|price|cost|diye|lage", MONEY, r"how much|amount|price|cost|kitn[aei]"),
    ("payment method", r"paid|pay|payment", PAYMENT, r"how did|how have|method|mode|kaise|kis (?:tarah|cheez|tarike)"),
    ("warranty", r"warranty|guarantee", SPAN, r"warranty|guarantee"),
    ("birthday", r"birthday|birth ?date|date of birth|janamdin|janmdin|born", DATE, r"birth|born|janam?din"),
    ("contact preference", r"contact|message|reach|prefer|write|text|update|baat|likh\w*|batana", CHANNEL,
     r"(?=.*(?:how|where|kaise|kahan|kis|which)).*(?:contact|reach|message|update|baat)|contact (?:preference|method|channel)"),
    ("email", r"e-?mail|mail id", EMAIL, r"e-?mail|mail id"),
    ("phone number", r"phone|mobile|number|call", PHONE, r"phone|mobile"),
]
SHAPE = {key: shape for key, _, shape, _ in SHAPED}
EVENTS = r"pick[ -]?up|delivery|flight|train|meeting|appointment|interview|exam"
EVENT_SHAPES = [
    ("day", DAY, r"\bday\b|\bdin\b|when|\bkab\b"),
    ("date", DATE, r"\bdate\b|tareekh|tarikh|when|\bkab\b"),
    ("time", TIME, r"\btime\b|baje|when|\bkab\b|slot"),
]

# A value that only its sentence gives away. key, statements, questions
PHRASED = [
    ("name",
     [rf"(?i:\b(?:i am|i['’]m|this is|call me|i go by)) (?P<neg>not )?{PROPER}(?= ?(?:$|[,.!(]|(?i:from|here|and|speaking|now|but)\b))",
      rf"\b(?i:main|mai) {PROPER} (?P<neg>nahi )?(?i:hoon|hun|bol rah[ai])\b",
      rf"(?i:\bmujhe) {PROPER} (?i:bula\w*|keh\w*|bol\w*)\b"],
     [r"\bwho am i\b", r"\bmain kaun\b", r"\bcalled\b.*\bme\b|\bcall me\b", r"\bmujhe kya (?:bula|keh)"]),
    ("city",
     [rf"(?i:\bi (?:now |currently |also )?(?:live|stay|am based|am living|am|come)s? (?:in|from)) {PROPER}",
      rf"(?i:\bi(?: have|['’]ve| am|['’]m)? (?:just |now |recently )?(?:moved|mov(?:e|ing)|shift(?:ed|ing)|relocated)(?: back)? to) {PROPER}",
      rf"\b(?i:main|hum)\b (?:(?i:ab|abhi|toh) )?{PROPER} (?:(?i:mein|me) )?(?i:rehta|rehti|rehte|rahta|rahti|shift|aa gay[ai]|se (?:hoon|hun|bol))",
      rf"(?:^|\s){PROPER} (?i:mein|me) (?:(?i:hi) )?(?i:reht[aie]|raht[aie]) (?i:hoon|hun|hain|hu)\b",
      rf"(?:^|\s){PROPER} (?:(?i:mein) )?(?i:shift (?:ho|kar)|aa gay[ai]|move (?:ho|kar))"],
     [r"\bwhere (?:do|am|did) i (?:live|stay|based|living|moved?|from)\b", r"\bwhere am i\b", r"\bkahan (?:se |par |pe )?(?:reht|raht|hoon|shift)",
      r"\b(?:which|what|kaunsi|kaunse|kis) (?:city|sheher|shahar|town)\b"]),
    ("employer",
     [rf"(?i:\bi (?:now )?works? (?:at|for|with)) {PROPER}", rf"(?i:\bi(?: have|['’]ve)? (?:just )?joined) {PROPER}",
      rf"(?:^|\s){PROPER} (?i:mein|me|ke liye) (?i:kaam|job|naukri) (?i:kart[aie])"],
     [r"\bwhere do i work\b", r"\bwho do i work for\b", r"\bkahan (?:kaam|job|naukri)\b", r"\bwhich company\b", r"\bkaunsi company\b"]),
    ("job",
     [r"(?i:\bi works? as) (?:an? )?(?P<v>[a-z][\w -]+?)(?= (?i:at|for|in|with|and)\b|$|[,.!])",
      r"\b(?i:main) (?:ek )?(?P<v>[a-z][\w -]*?(?:engineer|developer|teacher|doctor|nurse|designer|student|manager|driver|writer|chef)) (?i:hoon|hun)\b",
      r"(?i:\bi(?: am|['’]m)) an? (?P<v>[a-z][\w -]*?(?:engineer|developer|teacher|doctor|nurse|designer|student|manager|driver|writer|chef))\b"],
     [r"\bwhat (?:do i do|is my (?:job|role|profession))\b", r"\bwhat do i work as\b", r"\bmain kya (?:kaam )?kart[aie]\b"]),
    ("allergy",
     [rf"(?i:\ballergic to) {THING}(?=$|[,.;!?(]| (?i:so|and|but|please)\b)", r"(?:^|\s)(?P<v>[\w]+) (?i:se) (?:[\w]+ )?(?i:allergy|allergic)\b"],
     [r"\ballerg"]),
    ("product",
     [rf"(?i:\bi (?:have )?(?:bought|ordered|purchased)) (?i:an? |the |one |your )?{THING}(?=$|[,.;!?(]| (?i:from|for|on|in|last|and|with|worth|but|which|that)\b)",
      rf"(?i:\bmaine) (?:[\w ]*? se )?(?i:ek )?{THING} (?i:kharid\w*|order (?:ki\w*|kar\w*)|mangwa\w*|mangaa?y\w*)"],
     [r"\bwhat (?:did|have) i (?:buy|order|bought|purchase)", r"\b(?:which|what) (?:product|item|thing)\b", r"\bmaine kya (?:kharid|order|mangwa|mangaa?y|liya)", r"\bkaunsa (?:product|item)\b"]),
    ("dislike",
     [rf"(?i:\bi (?:don['’]t|do not|never) (?:like|eat|drink|want)) {THING}(?=$|[,.;!?])", rf"(?i:\bi hate) {THING}(?=$|[,.;!?])",
      rf"(?i:\bmujhe) {THING} (?i:pasand nahi|nahi pasand|bilkul nahi pasand)"],
     [r"\b(?:dis|don['’]t |not )like\b", r"\bpasand nahi\b|\bnahi pasand\b"]),
    ("preference",
     [rf"(?i:\bi (?:really |would |always )?(?:prefer|like|love)s?) {THING}(?=$|[,.;!?]| (?i:over|to|rather|and|but)\b)",
      rf"(?i:\bmujhe) {THING} (?:(?i:bahut|zyada|hi) )*(?i:pasand) (?i:hai|hain|aata|aati)?"],
     [r"\bwhat do i (?:like|prefer|love)\b", r"\bmy preferences?\b", r"\bmujhe kya (?:\w+ )?pasand\b"]),
]

# Other words for the same key; what is not listed is a key as it stands ("my locker is 14" is `locker: 14`).
SYNONYMS = {
    "name": r"(?:full |good |poora |first )?(?:name|naam)", "city": r"city|home ?town|town|sheher|shahar|shehar|address city",
    "order number": r"order (?:number|no|id|code|ka number)|order", "employer": r"employer|company|workplace|office",
    "job": r"job|role|profession|occupation|kaam", "birthday": r"birthday|birth ?date|date of birth|janam?din",
    "allergy": r"allerg(?:y|ies)", "preference": r"preferences?|pasand", "product": r"product|item",
    "phone number": r"phone(?: number)?|mobile(?: number)?|number", "email": r"e-?mail(?: address| id)?",
    "payment method": r"payment (?:method|mode)", "amount paid": r"amount(?: paid)?|price", "coupon code": r"coupon(?: code)?",
    "warranty": r"warranty(?: months| period)?", "contact preference": r"contact (?:preference|method|channel)|preferred contact",
}
RELATIONS = {
    "brother": "bhai", "sister": "behen|bahen|didi", "mother": "maa|mummy|mum|mom", "father": "papa|pita|dad", "friend": "dost",
    "son": "beta|bete", "daughter": "beti", "wife": "patni|biwi", "husband": "pati", "boss": "", "manager": "", "cousin": "",
    "colleague": "", "neighbour": "padosi|neighbor", "dog": "kutta|kutte", "cat": "billi", "uncle": "chacha|mama", "aunt": "chachi|aunty",
}
RELATION = {word: key for key, words in RELATIONS.items() for word in [key, *filter(None, words.split("|"))]}
OWNER = re.compile(
    rf"(?i:\b(?:my|mer[aei]|our|hamar[aei]) (?:\w+ )?)(?P<rel>{'|'.join(RELATION)})(?:'s|’s| ka| ki| ke)?\b"
    rf"|\b(?P<who>[A-Z]\w+)(?:'s|’s| (?i:ka|ki|ke)\b(?! liye))|\b(?i:his|her|their|uska|uski|unka|unki|someone|somebody|kisi aur)\b")

# Lower-case and capitalised words after "I am" that are no names, and words that end a name.
NOT_NAMES = set("""a an the not no so very really just also only still here there back from in at on of to for with your my
    is was and or but if sure sorry fine ok okay good great well happy sad angry upset tired hungry thirsty sleepy bored busy free late early ready
    new old sick ill confused lost stuck done afraid worried glad indian american british german french chinese japanese korean bengali punjabi
    tamil marathi gujarati malayali hindu muslim sikh christian vegetarian vegan veg allergic looking going trying calling writing
    waiting using getting having asking talking it this that what who kya kaun kuch nahi bhookha bhookhi theek thak thaka thaki khush
    hai hain hoon tha thi secret important unknown none long short""".split())
HYPOTHETICAL = re.compile(r"^\W*(?:if|suppose|imagine|pretend|let['’]s say|agar|maan lo|man lo|farz karo)\b|\b(?:said|says|told me|bola|boli|kaha|kehta|kehti)\b", re.I)
ASKS = re.compile(
    r"\?\s*$|^\W*(?:(?:and|so|hi|hello|please|ok|aur|accha)\W+)*(?:what|who|whose|where|when|which|how|do|does|did|can|could|would|will|is|are|am|have|tell me|remind me)\b"
    r"|\b(?:kya|kaun|kahan|kab|kitn[aei]|kauns[aei]|kis|kaise|batao|bata do|yaad hai)\b", re.I)
HINGLISH = re.compile(r"\b(?:mer[aei]|mujhe|main|maine|kya|hai|hain|hoon|tha|thi|nahi|naam|mein|kahan|kab|kaun|kitn[aei]|tum|aap|aapk[aei]|tumhar[aei]|yaad|batao|bhool|aur|karo|haan|kar)\b", re.I)


@dataclass(frozen=True)
class Fact:
    """One statement: `value` is None when the clause only denies `denied` ("my name is not Fraz")."""

    key: str
    value: str | None
    clause: str
    denied: str | None = None


def canonical(noun):
    """The key for a noun phrase in either language: "mera naam" and "full name" are `name`, "bhai ka naam" is `brother's name`."""
    noun = re.sub(r"[_\s]+", " ", noun.strip().lower().replace("’", "'"))
    noun = re.sub(r"^(?:(?:my|mer[aei]|our|the|an?|is|ki|ka|ke) )+", "", noun)
    owned = re.match(rf"({'|'.join(RELATION)})(?:'s| ka| ki| ke)? (.+)$", noun) or re.match(r"(\w+)(?:'s| ka| ki| ke) (.+)$", noun)
    if owned:
        return f"{RELATION.get(owned[1], owned[1])}'s {canonical(owned[2])}"
    return next((key for key, words in SYNONYMS.items() if re.fullmatch(words, noun)), noun)


def is_hinglish(text):
    """Whether a text is to be answered in Hinglish: it holds at least one of the language's small words."""
    return bool(HINGLISH.search(re.sub(r"\b(?i:Main) (?=Street|Road)", "", text)))


def is_question(clause):
    return bool(ASKS.search(clause))


def clauses(text):
    """Cut a text into clauses: at sentence ends and line ends, and where a new statement about the speaker begins."""
    starts = r"(?=(?:my|i|i['’]m|i['’]ve|mer[aei]|main|maine|mujhe|what|who|where|kya|it['’]s)\b)"
    ends = r"(?<!\bRs\.)(?<!\bno\.)(?<!\bNo\.)(?<=[.!?])\s+|\n+|;\s+"
    parts = re.split(rf"{ends}|,?\s+(?:and|aur|but|lekin|par|so|toh)\s+{starts}|,\s+{starts}", text, flags=re.I)
    return [part.strip() for part in parts if part and part.strip()]


def read(messages):
    """The facts that a list of messages holds, as {key: Fact}; of two statements about one key the newest wins."""
    facts = {}
    for speaker, clause in spoken(messages):
        for fact in stated(clause, speaker):
            if fact.value is not None:
                facts[fact.key] = fact
            elif fact.key in facts and facts[fact.key].value.lower() == fact.denied.lower():
                del facts[fact.key]
    return facts


def spoken(messages):
    """Yield (speaker, clause) for all text in the messages; lines such as `user: …` in a summary keep their speaker."""
    for message in messages:
        speaker = {"human": "user", "ai": "assistant"}.get(message.type, message.type)
        for line in _lines(message.text):
            quoted = re.match(r"(?:[-*•] )?(user|human|assistant|ai|tool|system): (?=\S)", line, re.I)
            said_by = {"human": "user", "ai": "assistant"}.get(quoted[1].lower(), quoted[1].lower()) if quoted else speaker
            for clause in clauses(line[quoted.end():] if quoted else line):
                yield said_by, clause


def _lines(text):
    """The lines of a text; a JSON object becomes one `key: value` line for each plain value in it."""
    if text.lstrip().startswith(("{", "[")):
        try:
            return list(_flat(json.loads(text)))
        except ValueError:
            pass
    return text.splitlines()


def _flat(data):
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        if isinstance(value, dict | list):
            yield from _flat(value)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            unit = re.fullmatch(r"(\w+)_(days|weeks|months|years)", str(key))
            yield f"{unit[1]}: {value} {unit[2]}" if unit else f"{str(key).replace('_', ' ')}: {value}"


@lru_cache(maxsize=4096)  # the scoreboard reads the same clauses again and again
def stated(clause, speaker="user"):
    """The facts that one clause states about the user. Questions, suppositions and reported speech state nothing."""
    clause = _as_user(clause, speaker)
    if not clause or is_question(clause) or HYPOTHETICAL.search(clause):
        return []
    return [*_phrased(clause), *_shaped(clause), *_plain(clause, speaker)]


def _as_user(clause, speaker):
    """The clause as the user would say it: the assistant's "your city" and a note's "the user's city" are "my city"."""
    if speaker == "assistant":
        if re.search(r"\b(?:I|I'm|I've|my|main|mera|meri|mujhe)\b", clause):
            return None
        for theirs, mine in [(r"you are|you're", "I am"), (r"you have|you've", "I have"), ("you", "I"), ("your", "my"),
                             ("(?:tumhar|aapk)a", "mera"), ("(?:tumhar|aapk)i", "meri"), ("(?:tumhar|aapk)e", "mere"),
                             ("aapne|tumne", "maine"), ("aapko|tumhe", "mujhe")]:
            clause = re.sub(rf"\b(?:{theirs})\b", mine, clause, flags=re.I)
    elif speaker != "user":
        clause = re.sub(r"\b(?:the )?(?:user|customer)['’]s\b", "my", clause, flags=re.I)
        clause = re.sub(r"\b(?:the )?(?:user|customer) (?:is )(?=\w)", "I am ", clause, flags=re.I)
        clause = re.sub(r"\b(?:the )?(?:user|customer) (?=\w)", "I ", clause, flags=re.I)
    return clause


def _owner(clause, before):
    """Whose thing the words up to position `before` speak of: "" (the user's), "brother's ", or None (nobody we can name)."""
    found = [m for m in OWNER.finditer(clause[:before]) if m["rel"] is None or clause[m.end():m.end() + 1] != ":"]
    if not found:
        return ""
    last = found[-1]
    return f"{RELATION[last['rel'].lower()]}'s " if last["rel"] else f"{last['who'].lower()}'s " if last["who"] else None


def _phrased(clause):
    for key, statements, _ in PHRASED:
        for found in (match for pattern in statements for match in re.finditer(pattern, clause)):
            value = _tidy(found["v"])
            if _owner(clause, found.start("v")) != "" or not value or value.split()[0].lower() in NOT_NAMES:
                continue
            if "neg" in found.groupdict() and found["neg"]:
                yield Fact(key, None, clause, denied=value)
            elif re.search(r"\b(?:not|don['’]t|never|no longer)\b", clause[: found.start("v")]) and key not in ("dislike", "allergy"):
                yield Fact(key, None, clause, denied=value)
            else:
                yield Fact(key, value, clause)
            break


def _shaped(clause):
    rows = [(key, words, shape) for key, words, shape, _ in SHAPED]
    event = re.search(rf"\b(?:{EVENTS})", clause, re.I)
    if event:
        noun = re.sub(r"pick[ -]?up", "pickup", event[0].lower())
        rows += [(f"{noun} {unit}", re.escape(event[0]), shape) for unit, shape, _ in EVENT_SHAPES]
    kept = _without_denied(clause)
    for key, words, shape in rows:
        noun = re.search(rf"\b(?:{words})", clause, re.I)
        values = [m[0].lstrip("#") for m in re.finditer(shape, kept)]
        owner = _owner(clause, noun.end() + 1) if noun else None
        if noun and values and owner is not None:
            yield Fact(owner + key, values[-1], clause)


def _without_denied(clause):
    """The clause without values that it takes back: "not Tuesday", "Tuesday nahi", "from Tuesday", "instead of Tuesday"."""
    value = r"(?:Rs\.? ?)?[\w:#-]+(?:,\d+)*"
    clause = re.sub(rf"\b(?:not|instead of|rather than|no longer)(?: on| at| by| via)? {value}", " ", clause, flags=re.I)
    clause = re.sub(rf"\bfrom {value}(?= to\b)", " ", clause, flags=re.I)
    return re.sub(rf"{value} (?:ko |baje |par |pe |se )?(?:nahi|ke bajaye|ki jagah|ke badle)\b", " ", clause, flags=re.I)


PLAIN_EN = re.compile(r"\b(?i:my|our) (?P<key>[\w'’ -]{2,40}?)(?: (?i:is|was|are|will be)(?: (?i:now|actually|in fact))?|(?<=name)['’]s| (?i:has )?(?i:changed to)|\s*[=:]) (?P<v>.+)$")
PLAIN_HI = re.compile(r"\b(?i:mer[aei]|hamar[aei]) (?P<key>.+)$")
THE_EN = re.compile(r"^(?i:the) (?P<key>[a-z][\w'’ -]{1,25}?) (?i:is|was|are|will be)(?: (?i:now|actually))? (?P<v>.+)$")
LABEL = re.compile(r"^(?:[-*•] )?(?P<key>[A-Za-z][\w'’ -]{1,30}): (?P<v>\S.*)$")


def _plain(clause, speaker):
    """`my KEY is VALUE`, `mera KEY VALUE hai`, and `KEY: VALUE` where a note or a tool says it."""
    labelled = LABEL.match(clause)
    if labelled and (speaker not in ("user", "assistant") or canonical(labelled["key"]) in SYNONYMS):
        yield Fact(canonical(labelled["key"]), _tidy(labelled["v"], keep_commas=True), clause)
        return
    found = PLAIN_EN.search(clause) or (THE_EN.match(clause) if speaker != "assistant" else None)
    if found:
        yield from _settled(canonical(found["key"]), found["v"], clause)
        return
    found = PLAIN_HI.search(clause)
    if found and (parts := _hinglish_parts(found["key"], speaker)):
        yield from _settled(canonical(parts[0]), parts[1], clause)


def _hinglish_parts(text, speaker):
    """Split "naam Meera Nair hai" into the noun and the value: the longest noun known, or one word before one or two more."""
    text = re.sub(r"\s*\b(?:hai|hain|tha|thi|the|ho gaya|ho gayi|hoga|hogi)\b(?=\W*$)", "", text.rstrip(" .!,"), flags=re.I)
    related = rf"(?:(?:\w+ )?(?:{'|'.join(RELATION)}) (?:ka|ki|ke) )?"
    nouns = "|".join(SYNONYMS.values())
    known = re.match(rf"(?P<key>{related}(?:{nouns}))(?: ab| toh)? (?P<v>.+)$", text, re.I)
    if known:
        return known["key"], known["v"]
    short = re.fullmatch(r"(?P<key>\w+) (?P<v>[\w:@.-]+(?: [\w:@.-]+)?)", text) if speaker == "user" else None
    return (short["key"], short["v"]) if short and not HINGLISH.search(short["v"]) else None


def _settled(key, text, clause):
    """Apply "not A, it is B", "A nahi, B" and "A, not B" to the text of a value, then yield the fact."""
    text = text.strip()
    swap = (re.match(r"not (?P<a>[^,;]+?)(?:[,;]? (?:but|it['’]s|it is|rather)|[,;]) (?P<b>.+)$", text, re.I)
            or re.match(r"(?P<a>[^,;]+?) nahi(?: hai)?[,;]? (?:balki |woh |)(?P<b>.+)$", text, re.I)
            or re.match(r"(?P<b>[^,;]+?)(?: hai)?,? (?:and |aur )?not (?P<a>.+)$", text, re.I)
            or re.match(r"(?P<b>[^,;]+?)(?: hai)?, (?P<a>[^,;]+?) nahi(?: hai)?$", text, re.I))
    denied = re.match(r"not (?P<a>.+)$|(?P<b>.+?) nahi(?: hai)?$", text, re.I)
    if not swap and denied:
        yield Fact(key, None, clause, denied=_tidy(denied["a"] or denied["b"], key))
        return
    value = re.sub(r"^(?:an?|the) ", "", _tidy(swap["b"] if swap else text, key))
    shape = SHAPE.get(key.rpartition("'s ")[2])
    if shape:
        shaped = re.search(shape, value)
        value = shaped[0].lstrip("#") if shaped else ""
    first = value.split()[0].lower() if value else ""
    if value and not (key.endswith("name") and (first in NOT_NAMES or not re.match(WORD, value))):
        yield Fact(key, value, clause)


def _tidy(value, key="", keep_commas=False):
    """A value without what surrounds it: quotes, a full stop, "please", a trailing "hai"; a name ends where names end."""
    value = value.strip().strip("\"'“”‘’")
    value = value if keep_commas else re.split(r",(?!\d)\s*| - | \(|[;!]", value)[0]
    value = re.sub(r"[\s.!?]+$", "", value)
    value = re.sub(r"\s+(?:hai|hain|hoon|now|please|actually|instead|by the way|only|hi|ab|yaar|ji|thanks)$", "", value, flags=re.I)
    if key.endswith("name"):
        words = re.split(r"\s+(?:from|and|aur|but|so|who|which|se|hoon|hai|here)\b", value)[0].split()
        value = " ".join(words[:4])
    return value.strip("\"'“”‘’ ")


def asked(clause):
    """The keys that a question asks for, best guess first: ["name"] for "what is my name?", [] when it asks for none."""
    text = html.unescape(clause).strip().rstrip("?.! ")
    if re.search(r"\b(?:last|previous|pichh?l[aei]|aakhri)\b.*\b(?:question|sawaal|ask|asked|poochh?a)\b|\bwhat did i (?:just )?ask\b|\bmaine kya poochh?a\b", text, re.I):
        return ["last question"]
    if re.search(r"\babout me\b|\bmere baare mein\b", text, re.I):
        return ["everything"]
    named = re.search(r"\b(?i:name|naam) of my (\w+)|\b(?i:mer[aei]) (\w+) (?i:ka naam)", text)
    if named:
        return [canonical(f"{(named[1] or named[2]).lower()}'s name")]
    keys = []
    for key, questions in ((key, questions) for key, _, questions in PHRASED):
        found = next((m for q in questions if (m := re.search(q, text, re.I))), None)
        if found and (owner := _owner(text, found.end())) is not None:
            keys.append(owner + key)
    event = re.search(rf"\b(?:{EVENTS})", text, re.I)
    rows = [(key, words, ask) for key, words, _, ask in SHAPED]
    if event:
        noun = re.sub(r"pick[ -]?up", "pickup", event[0].lower())
        rows = [(f"{noun} {unit}", re.escape(event[0]), ask) for unit, _, ask in EVENT_SHAPES] + rows
    for key, words, ask in rows:
        noun = re.search(rf"\b(?:{words})", text, re.I)
        if noun and re.search(ask, text, re.I) and (owner := _owner(text, noun.end() + 1)) is not None:
            keys.append(owner + key)
    return keys or _asked_plainly(text)


def _asked_plainly(text):
    noun = (re.search(r"\b(?i:my|our) (?P<k>[\w'’ -]+?)(?= (?i:is|was|again|do you|please|right now|now)\b|$)", text)
            or re.search(r"\b(?i:mer[aei]|hamar[aei]) (?P<k>[\w ]+?)(?= (?:(?i:ab|phir|abhi) )?(?i:kya|kaun|kahan|kab|kitn[aei]|kauns[aei]|yaad|batao|bata|hai|tha|thi)\b|$)", text)
            or re.search(r"\b(?P<k>[A-Z]\w+(?:['’]s| ka| ki| ke) [\w ]+?)(?= (?i:kya|is|hai)\b|$)", text)
            or re.search(r"^(?:(?i:aur|accha|toh) )?(?P<k>\w+(?: \w+)?) (?i:kya|kaun ?sa|kitn[aei]) (?i:hai|tha|thi|hoga)\b", text)
            or re.search(r"\b(?i:the|whats|what['’]s|what is) (?P<k>[a-z][\w '’-]+?)(?= (?i:is|was|again)\b|$)", text))
    return [canonical(noun["k"])] if noun else []


def claimed(question, keys):
    """The value that a yes-or-no question puts forward ("Is my name Fraz?", "Mera naam Fraz hai kya?"), or None."""
    text = question.strip().rstrip("?.! ")
    english = re.match(r"(?:is|was) (my .+)$", text, re.I)
    statement = re.sub(r"^(my (?:[\w'’]+ )*?(?:name|city|number|code|job|employer|birthday|allergy)) ", r"\1 is ", english[1]) if english else (
        re.sub(r"^kya |\s*(?:na|kya)$", "", text, flags=re.I) if re.search(r"^kya \w.* hai$|\bhai (?:na|kya)$", text, re.I) else None)
    told = [f for f in (*_phrased(statement), *_shaped(statement), *_plain(statement, "user")) if f.key in keys and f.value] if statement else []
    return told[0].value if told and not ASKS.search(told[0].value) else None
