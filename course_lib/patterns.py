"""The tables by which the keyless model reads English and Hinglish. `facts.py` is the code that applies them.

To teach the model something new, add a row:
NOUNS: what people own ("my X is Y", "mera X Y hai") and the shape of Y; an unlisted noun is taken as it stands.
SENTENCES, THINGS: statements without such a noun. QUESTIONS: how people ask for a key. SPELLING, CORRECTIONS: rewriting.
INSTEAD: sentences that only put a new value in the place of an old one.
In a row `<name>` is a value of that shape (SHAPES), `…` some words, `{rel}` a relation (brother, bhai), `{event}` an
event (flight), `{my}` any word for "my", `{start}` and `{stop}` the ends of a phrase. Case matters in shapes only.
"""

import re
from functools import lru_cache

# --- values ----------------------------------------------------------------------------------------------------------

MARKS = "\u0300-\u036f\u0900-\u0d7f"  # accents, and the vowel signs of Indian scripts
_NAME = rf"(?:(?:[A-Z]\.)+|[^\W\d_a-z](?:[^\W\d_]|[{MARKS}'-])*(?!\w)\.?)"  # "Meera", "O'Brien", "A.", "McDonald", "Élodie"
CITIES = ("(?:new )?delhi|(?:navi )?mumbai|pune|thane|nashik|nagpur|bengaluru|bangalore|mysuru|chennai|hyderabad|kolkata|jaipur"
          "|jodhpur|udaipur|lucknow|kanpur|agra|varanasi|patna|ranchi|raipur|bhopal|indore|ujjain|gwalior|surat|ahmedabad|vadodara"
          "|rajkot|kochi|noida|gurgaon|gurugram|chandigarh|amritsar|dehradun|goa")
_PLACES = "Pradesh|Nadu|Nagar|Bengal|Kashmir|City|Town|Road|Colony|Island|Beach"  # "Andhra Pradesh" is one place
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_NO_CODE = r"(?!\d+(?:st|nd|rd|th|am|pm|k?g|gm|m?l|[cmk]?m|[gm]b|[xk]|hrs?|mins?|days?|rs)\b|\d{4}-\d\d-\d\d\b)"
JOBS = ("engineer|developer|teacher|doctor|nurse|designer|student|manager|driver|writer|chef|lawyer|accountant|analyst"
         "|scientist|architect|professor|clerk|baker|farmer|artist|consultant|researcher")
SHAPES = {
    "name": rf"{_NAME}(?:(?: (?:de|la|le|van|von|der|bin|al|da|del))* {_NAME}){{0,4}}",
    "place": rf"(?!(?i:flat|room|house|block|sector|lane|my|a)\b)(?:{_NAME}(?: {_NAME}){{0,2}}|\b(?:{CITIES})\b)",
    "words": r"(?i:[^,;:!?()]+?(?:(?:, [\w -]{1,20}?)*,? (?:and|aur) (?!(?:i|my|so|it|main|mer\w)\b)[\w -]{1,20}?)?)",
    "first": rf"(?!(?:New|Navi|Greater|North|South|East|West|Old|Port|Los|San|Sri)\b|\w+ (?:{_PLACES})\b){_NAME}",  # before a place
    "town": rf"(?i:\b(?:{CITIES})\b)",
    "diet": r"(?i:(?<![\w-])(?<!non )(?:(?:non-?)?veg(?:etarian)?|vegan|shakahari)\b)",
    "word": r"[\w-]+",
    "job": rf"(?i:(?:[\w-]+ ){{0,2}}?(?:{JOBS})\b(?!'))",
    "age": r"\b\d{1,3}\b",
    "code": rf"(?i:(?<![\w-]){_NO_CODE}(?=[a-z/_-]*\d)(?=[\d/_-]*[a-z])[a-z\d]+(?:[-/_][a-z\d]+)*(?![\w:]|[.,]\d))",
    "digits": r"\b\d[\d-]{2,}\b(?!(?i: ?(?:rs|rupees|rupaye|days?|din|%))|[.,:]\d)",
    "money": r"(?i:(?:\brs\.?|\binr|₹|\$)\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*\s?(?:rs|rupees|rupaye|rupay)\b)",
    "day": r"(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:som|mangal|budh|guru|shukr|shani|ravi)vaa?r\b)",
    "date": rf"(?i:\b\d\d?(?:st|nd|rd|th)? {_MONTH}\b(?:,? \d{{4}}\b)?|\b{_MONTH} \d\d?\b|\b\d+[/-]\d\d?[/-]\d+\b)",
    "time": r"(?i:\b\d\d?(?::\d\d)?\s?(?:am|pm|baje)\b|\b\d\d?:\d\d\b)",
    "span": r"(?i:\b\d+[ -](?:days?|weeks?|months?|years?|din|hafte|mahine|saal)\b)",
    "channel": r"(?i:\b(?:whatsapp|sms|e-?mail|telegram)\b)",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\[e-mail\]",
    "phone": r"(?:\+\d{1,3}[ -]?)?\b\d{5}[ -]?\d{5}\b|\[phone\]",
    "payment": r"(?i:\b(?:upi|credit card|debit card|cash on delivery|cash|net ?banking|card)\b)",
}
SHAPES["firm"] = rf"(?!(?i:{CITIES}) )(?:{SHAPES['place']})"
SHAPES["number"] = rf"{SHAPES['code']}|\b[A-Z]{{1,4}} \d{{3,}}\b|\b\d[\d/-]*\b"  # after "my order number is"

# Words that are no value after "my city is", and no name after "I am".
NO_VALUES = set("""a an the not no so very really just also only still here there back from in at on of to for with your my our
    is was and or but if sure sorry fine ok okay good great well nice happy sad angry upset annoyed tired hungry thirsty sleepy
    bored busy free late early ready available online asap sick ill hurt confused lost stuck done afraid worried glad excited
    grateful indian american british german french chinese japanese korean russian pakistani bengali punjabi tamil marathi
    gujarati malayali hindu muslim sikh jain buddhist allergic left right wrong correct same different
    known given written spelled spelt misspelled pronounced missing mentioned common rare unique hard easy simple urgent
    kya kaun kuch nahi pata yaad sahi galat bhool bhookha bhookhi pyaasa theek thak thaka thaki khush udaas pareshan naraz bimar
    hai hain hoon tha thi it this that what who me you none unknown secret private important lead team road street today tomorrow
    yesterday monday tuesday wednesday thursday friday saturday sunday boss sir madam ceo hr ai welcome new old flat room
    house block sector something anything nothing everything someone someday""".split())
# Nor is a verb, in small letters: "mera naam likho", "mera sheher badal gaya". "mera naam Badal hai" tells a name.
VERB = re.compile(r"(?:(?:bata|bol|likh|badal|badl|hata|mita|bhool)(?:[oai]|na|do|jao?|iye)?|jaa?nt[aei]|change|delete|karo|kahan?|kidhar|kharab)\b")
NO_ANSWERS = set("thanks thank please never wait stop bas chodo chhodo cancel really seriously".split())  # "No, Thanks"
NOT_NAMES = NO_VALUES | {"vegetarian", "vegan", "veg", *JOBS.split("|")}

# --- nouns: key, what it is called in either language, shape of its value ----------------------------------------------

NOUNS = {
    "name": (r"(?:(?:full|good|real|complete|poora|shubh) )?(?:name|naam)", "name"),
    "first name": (r"first name|pehla naam", "name"),
    "last name": (r"last name|surname|family name", "name"),
    "city": (r"home ?town|home city|city|town|sheher|shahar|shehar", "words"),
    "age": (r"age|umar|umr", "age"),
    "birthday": (r"birthday|birth ?date|date of birth|janam?din", "date"),
    "employer": (r"employer|company|workplace|office", "words"),
    "job": (r"job|role|profession|occupation|kaam", "words"),
    "email": (r"e-?mail(?: address| id)?|mail id", "email"),
    "phone number": (r"(?:phone|mobile|contact) (?:number|no)", "phone"),
    "allergy": (r"allerg(?:y|ies)", "words"),
    "preference": (r"preferences?|pasand", "words"),
    "dislike": (r"dislikes?|napasand(?: cheez)?", "words"),
    "contact preference": (r"contact (?:preference|method|channel)|preferred contact(?: method)?", "words"),
    "order number": (r"order (?:number|no\.?|id|code|ka number)", "number"),
    "ticket number": (r"(?:ticket|complaint) (?:number|no\.?|id)", "number"),
    "refund reference": (r"refund (?:reference|ref|number|code|id)", "number"),
    "refund amount": (r"refund amount", "money"),
    "coupon code": (r"(?:coupon|promo|discount)(?: code)?", "number"),
    "amount paid": (r"amount(?: paid)?|price", "money"),
    "payment method": (r"payment (?:method|mode)", "words"),
    "product": (r"product|item", "words"),
    "warranty": (r"warranty(?: months| period)?|guarantee", "span"),
}
RELATIONS = {
    "brother": "bhai", "sister": "behen|bahen|didi", "mother": "maa|mummy|mum|mom", "father": "papa|pita|dad",
    "friend": "dost|saheli", "son": "beta|bete", "daughter": "beti", "wife": "patni|biwi", "husband": "pati", "boss": "",
    "manager": "", "cousin": "", "colleague": "", "neighbour": "padosi|neighbor", "dog": "kutta|kutte", "cat": "billi",
    "uncle": "chacha|mama", "aunt": "chachi|aunty", "teacher": "", "partner": "", "roommate": "",
}
RELATION = {word: key for key, words in RELATIONS.items() for word in [key, *filter(None, words.split("|"))]}
SAME_WORD = {"color": "colour", "rang": "colour", "favorite": "favourite", "pasandida": "favourite", "manpasand": "favourite", "fav": "favourite", "khana": "food",
             "veg": "vegetarian", "shakahari": "vegetarian", "nonveg": "non-vegetarian", "non-veg": "non-vegetarian",
             "old": "previous", "former": "previous", "purana": "previous", "purani": "previous", "puraana": "previous"}

_KNOWN = "|".join(f"(?:{pattern})" for pattern, _ in NOUNS.values())
_WORD = (r"(?!(?:and|or|his|her|their|your|is|was|are|were|that|which|who|when|if|of|not|nor|than|aur|ya|hai|hoon|ka|ki|ke"
         r"|kya|ones?|i|it|main|has|have|me|mein)\b)[\w-]+")
_NOUN = rf"(?:{_KNOWN}|{_WORD}(?: {_WORD}){{0,3}})"
_HEADED = (r"(?:(?:favou?rite|fav|pasandida|manpasand|lucky|best) \w+"  # Hinglish has no "is" between noun and value: these words
           r"|(?:\w+ )?(?:number|no|code|id|colou?r|rang|group|address|size|pin|password|plan|type|date))")  # show the end
_OWNER = r"\b(?:(?:{my} )?(?:\w+ )?(?P<other>\w+)(?:'s| ka| ki| ke)|{my})"
_FIT = {  # what a placeholder in a row stands for
    "{start}": r"(?:^|, |- )", "{stop}": r"(?=\s*(?:$|[,.;!(]))", "{my}": r"(?:my|our|mer[aei]|hamar[aei])",
    "{end}": r"(?= ?(?:$|[,.!(]|(?:from|here|and|aur|speaking|now|but|by|btw|who|again|calling|yaar|bhai)\b))",
    "{when}": r"(?:(?:(?:pichh?l[ei]|isi?) (?:mahine|saal|hafte|week|month)|\w+ (?:mahine|saal|hafte) pehle|abhi|haal hi me(?:in)?) )?",
    "{mine}": r"\b(?! (?:hai|hain|ho|th[aie]|hoge)\b)",  # not what somebody else does: "Rahul kahan rehta hai"
    "{rel}": rf"(?P<rel>{'|'.join(RELATION)})\b",
    "{event}": r"(?P<event>pick[ -]?up|delivery|flight|train|meeting|appointment|interview|exam)\b",
    " … ": r"\b(?:(?!pick[ -]?up|delivery|flight|train\b|meeting|appointment|interview|exam\b|refund|coupon|ticket|tracking"
         r"|invoice|receipt|reference|model\b|order\b).){0,60}?",
}

# --- statements ----------------------------------------------------------------------------------------------------------

OWNED = [  # "my NOUN is VALUE" in its orders; an unlisted noun is taken as it stands
    rf"{_OWNER} (?P<noun>{_NOUN})(?: (?:is|was|are|were|(?:has )?(?:been )?changed to)| ?[:=]) (?P<v>.+)$",
    rf"{_OWNER} (?P<noun>{_KNOWN}|{_HEADED}) (?P<v>.+)$",
    rf"{{start}}(?P<v>[^,]+?)(?: hai)? {{my}} (?P<noun>{_KNOWN}|{_HEADED})(?: hai)?{{stop}}",
    rf"^(?:the )?(?P<noun>{_KNOWN})(?: is| hai)? (?P<v>(?-i:[A-Z\d]).*)$",
]
LOOSE = [  # the same, believed only when the user says it
    rf"{{start}}(?P<v>[^,]+?) is {_OWNER} (?P<noun>{_NOUN}){{stop}}",
    rf"\bmer[aei] (?!(?:{_KNOWN}) )(?P<noun>\w+) (?P<v>(?!(?:{'|'.join(sorted(NO_VALUES))})\b)(?:\S+ ){{0,2}}?(?!\w*(?:t[aie]|rah[aie]|gay[aie]|kiy[aie]|kar) hai)\S+) hai{{stop}}",
    rf"^the (?P<noun>{_WORD}(?: {_WORD})?) (?:is|was) (?P<v>.+)$",
]
_MOVED = r"(?:me(?:in)? )?(?:aa gay|(?:shift|move) (?:ho (?:gay|chuk)|kar (?:li|chuk)))[aie]"
SENTENCES = [  # about the user
    ("name", r"\b(?:i am(?: called| known as)?|myself|calls? me|i go by) <name>{end}"),
    ("name", r"{start}this is <name>{end}"),
    ("name", r"{start}<name> (?:here|this side|speaking){stop}"),
    ("city", r"\bi (?:(?:now|currently|actually|still|also|have|am) )*(?:live|lived|(?:been )?living|stay|staying|based|come)"
             r" (?:in|at|from) (?:the )?<place>"),
    ("city", r"\bi (?:(?:have|just|now|recently) )*(?:moved|shifted|relocated)(?: back)? to (?:the )?<place>"),
    ("city", r"\b(?:i am|this is|name is)(?: [\w.'-]+){0,3} from <place>"),
    ("location", r"\bi am (?:(?:now|currently) )?in <place>"),
    ("age", r"\bi am <age>(?: years? old| years of age)?{stop}"),
    ("birthday", r"\bi was born on (?:the )?<date>"),
    ("employer", r"\bi (?:(?:now|currently|have|just|am) )*(?:work|works|working|join(?:ed)?)(?: as an? [\w -]+?)?(?: at| for)? <place>"),
    ("employer", r"\bi am an? [\w -]{3,40}? at <place>"),
    ("job", r"\bi (?:am )?(?:work|works|working) as (?:an? )?<words>(?= (?:at|for|in|with)\b|{stop})"),
    ("job", r"\bi am an? <job>"),
    ("allergy", r"\bi am (?:also )?allergic to <words>(?=,? (?:so|but|please|too|as)\b|{stop})"),
    ("allergy", r"\bi have (?:an? )?<word> allergy\b"),
    ("product", r"\bi (?:have )?(?:just )?(?:bought|ordered|purchased) (?:an? |the |one |your )?<words>"
                r"(?= (?:from|for|on|in|last|with|worth|but|which|that|yesterday|today)\b|{stop})"),
    ("preference", r"\bi (?:(?:really|would|always|also|only) )*(?:prefer|like|love)s? <words>"
                   r"(?= (?:over|to|rather|but|too)\b|{stop})"),
    ("dislike", r"\bi (?:also )?hate <words>{stop}"),
    ("amount paid", r"(?:{start}|\bi (?:have )?)paid … <money>"),
    ("payment method", r"(?:{start}|\bi (?:have )?)paid … <payment>"),
    ("{rel}'s name", r"\b{my} (?:\w+ )?{rel} (?:is|is called|is named) <name>{end}"),
    ("{rel}'s name", r"\bi have an? (?:\w+ )?{rel} (?:called|named) <name>{end}"),
    ("{rel}'s city", r"\b{my} (?:\w+ )?{rel} (?:\w+ )?(?:lives|stays) in (?:the )?<place>"),
    ("diet", r"\b(?:i am|i eat|main)(?: (?:an?|ek|pure|strict|strictly|only|sirf|bilkul|toh|bhi))* <diet>(?:(?: khana)? (?:hoon|kha)|{stop})"),
    # Hinglish
    ("name", r"\bmain (?:toh |hi )?<name> (?:hoon|bol rah[ai])\b"),
    ("name", r"(?:\bmain hoon|{start}main) <name>{stop}"),
    ("name", r"\bmujhe (?:(?:log|sab|sirf) )?<name> (?:bula|keh|bol|pukar)"),
    ("city", r"\bmain (?:(?:ab|abhi|toh|bhi) )*<place> (?:(?:me(?:in)? (?:\w+ )?)?reht[aie] hoon|se (?:hoon|bol)|k[aei] (?:rehne wal[aei] )?hoon)"),
    ("city", r"(?:{start}|\bham |\bhum |\bab |\bmain .*)<place> me(?:in)? (?:(?:hi|ab) )?reht[aie] (?:hoon|hain)\b"),
    ("city", rf"\b(?:main|hum) {{when}}<place> {_MOVED}"),
    ("city", rf"(?:{{start}}|\bab ){{when}}<place> {_MOVED} hoon\b"),
    ("city", rf"(?:{{start}}|\bab ){{when}}<town> {_MOVED}(?! h)"),  # without "main" and "hoon" only a known city
    ("location", r"\bmain (?:(?:ab|abhi) )?<place> me(?:in)? hoon"),
    ("city", r"(?:\bmain (?-i:[A-Z])\w+(?: hoon)?|\bhere|\bthis side|\bbol rah[ai] hoon),? <place> se{stop}"),
    ("city", r"\b{my} ghar <place> me(?:in)? hai"),
    ("age", r"\bmain <age> (?:saal|years?) k[aei] hoon"),
    ("employer", r"(?:{start}|\bmain |\bab )<firm> (?:me(?:in)?|ke liye) (?:kaam|job|naukri) kart[aie] hoon"),
    ("employer", rf"\bmain (?:ab )?<firm> me(?:in)? (?:ek )?(?:[\w-]+ ){{0,2}}?(?:{JOBS}) hoon"),
    ("job", r"\bmain (?:\S+ me(?:in)? )?(?:ek )?<job> hoon"),
    ("allergy", r"\b(?:mujhe|main) (?:(?:toh|bhi) )?<words> se (?:\w+ )?allerg"),
    ("allergy", r"{start}<word> se (?:mujhe )?allerg"),
    ("product", r"\bmaine (?:[\w ]*? se )?(?:(?:kal|aaj|parso|abhi(?: tak)?) )?(?:ek )?<words> (?:kharid\w*|order (?:ki|kar)\w*|mangwa\w*|mangaa?y\w*)"),
    ("preference", r"\bmujhe (?:(?:sirf|toh) )?<words> (?:(?:bahut|zyada|hi|bhi|bilkul) )*pasand\b(?! th[aie]\b)"),
    ("amount paid", r"\bmaine … <money> (?:\w+ se )?(?:diy|pay|kharch)"),
    ("payment method", r"\bmaine … <payment> se\b"),
    ("{rel}'s name", r"\b{my} {rel} <name> hai{stop}"),
    ("{rel}'s name", rf"\b{{my}} {{rel}} <first> (?=(?:(?-i:{_NAME}) ){{1,2}}me(?:in)? reht[aie] hai)"),
    ("{rel}'s city", rf"\b{{my}} {{rel}} (?:(?-i:{SHAPES['first']}) )?<place> me(?:in)? reht[aie] hai"),
]
THINGS = [  # about a thing, whose owner stands before it or is the user
    ("order number", r"(?<!to )\border(?: (?:number|no\.?|id|code|ka number))? … <code>"),
    ("order number", r"(?<!to )\border(?: (?:number|no\.?|id|code|ka number))?(?: (?:is|was|hai))?(?: ?[:=])? ?#?<digits>"),
    ("ticket number", r"\b(?:ticket|complaint) … <code>"),
    ("refund reference", r"\brefund (?:reference|ref|number|code|id) … <code>"),
    ("refund amount", r"\brefund … <money>"),
    ("coupon code", r"\b(?:coupon|promo code|discount code) … <code>"),
    ("payment method", r"\bpayment … <payment>"),
    ("amount paid", r"\bpayment … <money>"),
    ("warranty", r"\b(?:warranty|guarantee) … <span>"),
    ("birthday", r"\b(?:birthday|birth ?date|date of birth|janam?din) … <date>"),
    ("contact preference", r"\b(?:contact|message|reach|prefer|write|text|updates?|baat|likh\w*|batana) … <channel>"),
    ("contact preference", r"<channel> (?:par|pe) (?:hi )?(?:(?:message|msg|contact|baat|updates?|reply) )?"
                           r"(?:kar(?:na|o|iye)|bata(?:na|o| do| dena)|bhej(?:na|o| do| dena)|likh(?:na|o)|dena|do)\b"),
    ("email", r"\be?-?mail(?: id| address)? … <email>"),
    ("phone number", r"\b(?:phone|mobile|number|call) … <phone>"),
    ("{event} day", r"\b{event} … <day>"),
    ("{event} day", r"<day> (?:k[aei] |wal[aei] )?{event}"),
    ("{event} date", r"\b{event} … <date>"),
    ("{event} time", r"\b{event} … <time>"),
    ("{event} time", r"<time> (?:k[aei] |wal[aei] )?{event}"),
]


# --- questions -----------------------------------------------------------------------------------------------------------

QUESTIONS = [
    ("last question", r"\b(?:last|previous|pichh?l[aei]|aakhri)\b.*\b(?:question|sawaal|ask|asked|poochh?a)\b"),
    ("last question", r"(?!.*\b(?:first|pehle)\b)(?:\bwhat did i (?:just )?ask\b|\bmaine (?:abhi )?kya poochh?a\b)"),
    ("last message", r"\bwhat did i (?:just )?(?:say|write|tell you)$|\bmaine (?:abhi )?kya (?:kaha|bola|likha)\b"),
    ("everything", r"\babout (?:me|myself)\b|\bmere baare me(?:in)?\b|\bwhat do you (?:know|remember)$"),
    ("name", r"\bwho (?:am i|i am)\b|\b(?:am i|i am) called\b|\bcall me$|\b(?:know|remember|recogni[sz]e) me\b(?! to)"),
    ("name", r"\bmain kaun\b|\bmujhe (?:kya|kis naam se) (?:bula|keh|bol)|\bmujhe (?:jaan|pehchaan|yaad rakh)|\bmain yaad\b"),
    ("city", r"\bwhere (?:(?:do|am) )?i (?:(?:now|currently) )?(?:live|stay|based|living|staying|from|come from)\b"),
    ("city", r"\bwhere (?:did|have) i (?:move|shift|relocate)d?(?: to)?$|\b(?:which|what|kaunsi|kaunse|kis) (?:city|town|sheher)"),
    ("city", r"(?<!pehle )(?<!pehle main )\bkahan (?:(?:se|par|pe|ab) )?(?:reht[aie]{mine}|shift)|(?<!pehle )\b(?:main|hum|ham) kahan reht|\bkahan (?:se|ka|ki) hoon|\b{my} ghar kahan"),
    ("previous city", r"\bwhere did i (?:live|stay)\b|\bi (?:move|shift) from$|\bpehle (?:main )?kahan reht"),
    ("location", r"\bwhere am i$|\bcity am i in$|\bkahan hoon$"),
    ("age", r"\bhow old am i\b|\bkitne saal k[aei] hoon"),
    ("birthday", r"\bwhen was i born\b"),
    ("employer", r"\bwhere (?:do )?i work\b|\bwho do i work for\b|\bkahan (?:kaam|job|naukri) kart[aie]{mine}|\b(?:which|kaunsi|kis) company\b"),
    ("job", r"\bwhat do i (?:do(?: for a living)?$|work as)|\bmain kya (?:kaam )?kart[aie]\b"),
    ("allergy", r"\bi (?:am )?allergic\b|\ballergic am i\b|\bmujhe .*allerg"),
    ("product", r"\bwhat (?:did|have) i (?:just )?(?:buy|bought|order|ordered|purchased?)\b|\b(?:which|what) (?:product|item)\b"),
    ("product", r"\bmaine kya (?:kharid|order|mangwa|mangaa?y|liya)|\bkaun ?s[ai] (?:product|item)\b"),
    ("order number", r"\bwhich order\b|\bkaun ?s[ai] order\b|\bwhat is my order$|\bmer[aei] order kya (?:hai|tha)$"),
    ("order", r"\bwhat is my order$|\bmer[aei] order kya (?:hai|tha)$"),
    ("diet", r"\bmain kya khat[aie]\b|\bwhat do i eat$|\b(?:am i|i am|main)(?: \w+)? (?:(?:non-?)?veg(?:etarian|an)?|shakahari)\b"),
    ("dislike", r"\b(?:do i|do not i|i) (?:not like|dislike|hate)\b|\bdo not i like\b|\b(?:pasand nahi|nahi pasand)\b"),
    ("preference", r"\bwhat (?:else )?do i (?:like|prefer|love)\b|\bmujhe kya (?:(?!nahi)\w+ )?pasand(?! nahi)"),
    ("contact preference", r"\bhow do i (?:prefer|want|like) .*(?:contact|reach|message|update)"),
    ("contact preference", r"\bhow (?:should|can|will|do) you (?:contact|reach|message|update) me\b"),
    ("contact preference", r"\bmujhe (?:kis tarah|kaise|kahan|kis par) .*(?:update|contact|message)"),
    ("amount paid", r"\bhow much (?:did|have) i .*(?:pay|paid|spen[dt])|\bmaine .*kitn[aei] .*(?:diy|pay|kharch)"),
    ("payment method", r"\bhow (?:did|have) i (?:\w+ )?pa(?:y|id)\b|\bpayment .*\b(?:kaise|kis)\b|\bkaise .*payment|\bi pay with$"),
    ("refund amount", r"\bhow much .*refund|\brefund .*kitn[aei]"),
    ("warranty", r"\b(?:warranty|guarantee)\b"),
    ("{rel}'s name", r"\b{my} {rel} (?:(?:is )?called|kaun)\b"),
    ("{rel}'s city", r"\bwhere (?:does|is) {my} {rel} (?:live|stay|from)"),
    ("{rel}'s city", r"\b{my} {rel} kahan reht"),
    ("{rel}'s employer", r"\b{my} {rel} kahan (?:kaam|job|naukri) kart"),
    ("{rel}'s job", r"\b{my} {rel} kya (?:kaam )?kart"),
    ("{rel}'s age", r"\b{my} {rel} kitne saal k[aei]\b"),
    ("{event} day", r"^(?=.*\b(?:day|din|when|kab)\b).*\b{event}"),
    ("{event} date", r"^(?=.*\b(?:date|tareekh|tarikh|when|kab)\b).*\b{event}"),
    ("{event} time", r"^(?=.*\b(?:time|baje|when|kab|slot)\b).*\b{event}"),
]
_KAHA = (r"^(?!.*ne (?:\S+ ){0,4}?kaha\b)(.*)\bkaha\b"  # a "kahan" without its n; "maine kaha" is "I said"
         r"(?= (?:hai|h|he|hoon|hun?|th[ai]|reht|raht|rah|ga[iy]|jaa?|pe|par|se|tak|kaam|job|naukri|mil)|\W*$)")
ASKS = re.compile(
    r"\?\s*$|^\W*(?:(?:and|so|but|hi|hey|hello|please|ok|okay|then|aur|accha|toh)\W+)*(?:(?:what|who|whose|where|when|which|how|why)\b"
    r"|(?:do|does|did|can|could|would|will|is|are|am|was|were|have|has|should|may)(?:n['’]?t| not)?"
    r" (?:i|you|we|he|she|it|they|my|your|our|his|her|the|this|that|there|any\w*)\b"
    r"|(?:is|are|was|does|did|has) (?-i:[A-Z])\w+ |(?:please )?(?:tell|remind) me\b|what['’]?s\b|say my \w+\W*$)"
    r"|\b(?:kya|kaun|kahan|kab|kitn[aei]|kauns[aei]|kis|kaise|kyun|kidhar|ba?tao|ba?ta do|ba?ta sakt[aei]|yaad hai)\b|\bba?ta\W*$"
    rf"|\bmer[aei] (?:\w+ k[aei] )?(?:{_KNOWN}|\w+)(?:(?:,| aur) (?:{_KNOWN}))* (?:ba?ta|bol|likh)(?:o|na|iye)?(?: ?d[oe]| na| yaar| bhai| ji| please)*\W*$|{_KAHA}", re.I)
REQUEST = re.compile(r"^\W*(?:can|could|will|would) you (?:please )?(?=(?:remember|note|save|keep in mind) that|call me [A-Z]|(?:forget|delete|erase)\b)", re.I)
CLAIMS = [  # a question that puts a value forward, and the statement in it
    (r"^(?:is|was)(?: not)? (my (?:\w+ ){0,2}?(?:%s|colour|color)|\w+'s name) (.+)$" % _KNOWN, r"\1 is \2"),
    (r"^am i (.+)$", r"i am \1"), (r"^do i (.+)$", r"i \1"), (r"^did i (?:say|tell you)(?: that)? (.+)$", r"\1"),
    (r"^kya (.+ (?:hai|hoon))$", r"\1"), (r"^(.+?),? (?:kya|na|right|correct|is not it|theek|sahi)$", r"\1"), (r"^(.+)$", r"\1"),
]

# --- rewriting: one spelling, and one way of saying ------------------------------------------------------------------------

SPELLING = [
    (r"[’‘`]", "'"), (r"\b(?:i'm|im)\b", "I am"), (r"\bi've\b", "I have"), (r"\b(what|who|where|when|how)'?s\b", r"\1 is"),
    (r"\b(it|that|name)'s (?!name)", r"\1 is "), (r"\b(is|are|was|were|do|does|did|have|has|would|could)n'?t\b", r"\1 not"),
    (r"\bhu+n?\b|\bhoo\b", "hoon"), (r"\b(?:nahin|nhi|nai)\b", "nahi"), (r"\bmai\b", "main"), (r"\bbta", "bata"), (r"\bkidhar\b", "kahan"), (_KAHA, r"\1kahan"),
    (r"\bbhul(?=(?:[aeio]|na|jao?|iye)?\b)", "bhool"), (r"\braht([aie])\b", r"reht\1"),
    (r"\b(main\b.{1,60} nahi (?:reht|kart)[aie])(?= ?(?:$|[,.!]))", r"\1 hoon"), (r" h$", " hai"),
    (r"^(?=.*\b(?:mer[aei]|naam|kya|main|mujhe|yeh|woh|nahi)\b)(.*) he(?= aur\b|,|\W*$)", r"\1 hai"), (r"^are(?= nahi| yaar| bhai| main\b)", "arre"),
    (r"\bdo(?:es)? not (?:eat|drink|want)\b", "hate"),
    (r"\bthe ((?:\w+ )?\w+) of my (\w+)", r"my \2's \1"), (r"\bthe ((?:order |phone )?\w+) of ((?-i:[A-Z])\w+)", r"\2's \1"),
    (r"^\W*(?:(?:hi|hello|hey|namaste|no|nahi|yes|haan|ok|okay|sorry|oh|arre|actually|well|so|but|and|aur|please|accha|btw|now|remember"
     r"|note|there|everyone|all|team|sir|ji|bhai|yaar|yaad rakh\w*|just)(?: that| this| ki)?\b[,:!.]* )+", ""),
    (rf"^({_KNOWN}) (mer[aei])\b", r"\2 \1"),  # the owner comes last: "naam mera Fraz hai", "naam kya hai mera"
    (rf"^((?:.{{1,60}} )?(?:{_KNOWN}) (?:.{{1,60}} )?(?:hai|tha|thi)) (mer[aei])\W*$", r"\2 \1"),
    (r"(^|\bab |, )me(?:in)? (?=[^,]{1,60} hoon\b)", r"\1main "),
    (r"^(.+ (?:hai|hoon|tha|thi|(?:diy|kiy|liy)[ae](?: the)?)) (maine|main)\W*$", r"\2 \1"),
]
_FEW = r"[^\s,;.!?()]+(?: [^\s,;.!?()]+){0,3}?"
CORRECTIONS = [  # what is taken back is cut out: "not A but B", "A nahi, B", "B, not A", "was A, now B", "from A to B"
    (rf"\bdo not (\w+(?: \w+)?) {_FEW},? but (?:in |at )?", r"\1 "),
    (rf"\bnot (?:on |in |at |by )?{_FEW}(?:,? but(?: rather| it is)?|[,;.]? (?:it is|rather|I am)|[,;](?= \S+(?: \S+)?\W*$)) ", ""),
    (r"(?:(?!main|mer[aei]|mujhe|pickup)(?-i:[A-Z])\S* )?\S+ nahi(?: hai| hoon)?,? (?:balki |woh )?(?=(?-i:[A-Z])\S* (?-i:[A-Z]))", ""),
    (r"\S+(?: me(?:in)?| se| ko| par)? nahi(?: hai| hoon)?(?:, (?:balki |woh |ab )?| balki | (?=(?-i:[A-Z])))", ""),
    (rf"(?<!\bis)(?<!\bam)(?<!\bwas)(?<!\bdo)(?<!\bdid)(?<!\bhas)(?<!\bhave)(?<!\bwill),? \(?(?:and )?not (?:on |in |at )?{_FEW}\)?$", ""),
    (r"(?:,|( hai| hoon),?) \S+(?: \S+)? nahi(?: hai| hoon)?$", r"\1"),
    (rf"\b(?:is|was) {_FEW}(?:,? but|,? and|[,;.])? (?:now it is|it is now) |\bwas {_FEW}(?:,? but|,? and|[,;]) (?:now|it is) ", "is "),
    (r"\S+ me(?:in)? reht[aie] th[aie],? (?:par |lekin )?ab ", ""),
    (rf"(?!(?:{_KNOWN}|main|mer[aei])\b)\S+(?: (?-i:[A-Z])\S*)? th[aie],? (?:par |lekin )?ab ", ""),
    (rf"\bleft {_FEW},? (?:and|to) (?=join)", ""), (rf"\bfrom {_FEW} to\b", "to"), (rf"\b(?:instead of|rather than) {_FEW}(?=$|,)", ""), (r"\S+ (?:ki jagah|ke bajaye|ke badle) ?", ""),
]
NO = re.compile(r"\W*(?:arr?e )?(?:no|nahin?|nhi)(?: yaar| bhai)?,", re.I)  # "No, Ujjain"
INSTEAD = [  # a sentence that only takes a value back and gives another: "Fraz nahi, Faraz", "Faraz hai, Fraz nahi"
    r"(?P<old>[^,]+?)(?: me(?:in)?| se)? nahi(?: hai)?(?: yaar| bhai)?,? (?:balki |woh )?(?P<new>(?-i:[A-Z\d]).*?)(?: (?:me(?:in)?|se|hai|likh\w*)\b.*)?$",
    r"(?P<new>(?-i:[A-Z\d])[^,]*?)(?: hai)?, (?P<old>[^,]+?) nahi(?: hai)?\W*$",
    r"not (?P<old>[^,]+?)(?:,| but|, but) (?:it is )?(?P<new>(?-i:[A-Z\d]).*)$",
    r"main (?P<old>[^,]+?) me(?:in)? nahi,? (?:balki )?(?P<new>(?-i:[A-Z]).*?) me(?:in)? hoon\W*$",
]
REPORTED = re.compile(  # what follows is supposed, or said by somebody else
    r"\b(?:if|suppose|imagine|pretend|assume|wish|for example|let us say|agar|maan lo|man lo|farz karo)\b"
    r"|(?<!\bi )(?<!\bi have )(?<!already )\b(?:says|said|told|claims|thinks?|thought|believes?|wrote)\b"
    r"|\b(?:say|repeat|write|type)(?: after me| that)?[:,]? (?=[\"']?(?:my|mer[aei]|i|main)\b)"
    r"|(?<!\bmaine )(?<!\bmaine pehle )(?<!\bmaine abhi )(?<!\bmain )\b(?:bol[aieo]|bolt[aei]|kah[aeo]|keht[aei])\b(?: hain?\b| th[aie]\b)?+(?: ki\b)?+ (?=\w)", re.I)
DENIAL = re.compile(r"\b(?:(?:do|does|did) not|not|never|no longer|used to|nahi|mat)\b ?", re.I)
# A Hinglish denial follows its value: the words that may stand between them ("Pune mein nahi"), and after it ("nahi rehta")
BEFORE_NO = (r"(?:\s|me(?:in)?|se|ko|par|pe|ka|ki|hi|bilkul|pasand|naam"
             r"|(?<!ka )(?<!ki )(?:kaam|job|naukri|order|pay|payment|message|msg|contact|baat))*")
AFTER_NO = r"(?:\s|ab)*(?:$|[,.]|(?:hai|hain|hoon|th[aie]|reht[aie]|kart[aie]|khat[aie]|kiy[aei]|diy[aei]|pasand|bula|keh|bol|rah[ai])\b)"
FORGET = re.compile(r"(?<!not )(?<!never )(?<!\bi )(?<!always )\b(?:forget|delete|remove|erase)\b(?! to)(?: kar(?:o|na| do| de| dena)?\b)?"
                    r"|(?<!mat )(?<!\bna )\bbhoola? ?(?:jaa?o|jaiye|jaa?na|ja|do|de|dena|dijiye)\b(?! mat\b| rah)"
                    r"|(?<!\bse )\b(?:hata|mita) ?(?:do|de|dena|dijiye)\b|\byaad mat rakh\w*", re.I)
AS_USER = {  # how the assistant and a note speak of the user, and how the user would say it
    "assistant": [(r"\byou are\b|\byou're\b", "I am"), (r"\byou have\b|\byou've\b", "I have"), (r"\byou\b", "I"), (r"\byour\b", "my"),
                  (r"\b(?:tumhar|aapk)(a|i|e)\b", r"mer\1"), (r"\b(?:aapne|tumne)\b", "maine"), (r"\b(?:aapko|tumhe)\b", "mujhe"), (r"\bour\b", "their")],
    "note": [(r"\b(?:the )?(?:user|customer)(?:['’]s)? (?=(?:%s)\b)" % _KNOWN, "my "), (r"\b(?:the )?(?:user|customer)['’]s\b", "my"),
             (r"\b(?:the )?(?:user|customer) is\b|\byou are (?:talking|speaking|chatting) (?:to|with)\b", "I am"),
             (r"\b(?:the )?(?:user|customer) (?=\w)", "I ")],
}
HINGLISH = re.compile(
    r"\b(?:mer[aei]|mujhe|maine|kya|hai|hain|hoon|th[ai]|nahi|naam|mein|kahan|kab|kaun|kitn[aei]|tum|tumh\w+|aap|aapk[aei]|yaad|batao|bata"
    r"|bhool|aur|karo|haan|kar|karna|yaar|k[aei]|ko|se|bolo|abhi|toh|accha|theek"
    r"|bhul(?:a|o|na|jao?)?|kaise|kaha|kidhar|reht[aie]|ghar|sunao|pichh?l[aei]|dhanyavaad|shukriya|yeh|woh|kuch)\b|\bmai\b(?=.* hu+n?\b)"
    r"|^[^A-Za-z]*[\u0900-\u097f][^A-Za-z]*$|(?<!\w)(?:है|हैं|हूँ|हूं|मेरा|मेरी|मेरे|क्या|में|नहीं)(?!\w)"
    r"|(?<!\bthe )(?<!\bmy )(?<!\bour )\bmain\b(?! (?:road|street|st)\b)", re.I)

OWNER = (r"\b{my} (?:\w+ )?{rel}|\b(?P<who>(?-i:[A-Z])\w+)(?:'s| (?:ka|ki|ke)\b(?! (?:liye|saath)))"
         r"|^(?P<subject>(?-i:[A-Z])\w+) (?:has|got|paid|ordered|bought|placed)\b"
         r"|\b(?:he|she|his|her|their|your|us(?:k[aei]|ne|ko)|un(?:k[aei]|hone)|someone|somebody|kisi|tumhar[aei]|aapk[aei])\b")
_ASKED = (r"(?!(?:and|or|is|was|are|do|did|you|know|remember|again|please|plz|now|right|then|to|for|in|on|at|me|by|be|aur|ab|toh|hi|na"
          r"|hai|hain|hoon|tha|thi|kya|kaun|kahan|kab|kitn[aei]|kauns[aei]|kis|kaise|bata\w*|bolo|yaad|pata|maloom|bhool\w*|mujhe|tum\w*"
          r"|aap\w*|jaa?nt[aei]|ka|ki|ke|ko|phir|abhi|called)\b)[\w-]+")
ASKED_NOUN = rf"{_OWNER} (?P<noun>{_ASKED}(?: {_ASKED}){{0,4}})(?P<more>(?:(?:,| and| aur) (?:{{my}} )?(?:{_KNOWN})\b)*)"
BARE_NOUN = (r"^(?:(?:and|aur|so|toh|accha|what is|what was|tell me|remind me(?: of)?|give me|do you know|which is|kya) )*(?:the )?"
             rf"(?P<noun>{_KNOWN}|{_WORD}(?: {_WORD}){{0,2}}?)"
             r"(?: (?:is|was|kya|kaun ?s[ai]|kitn[aei]|kab|batao|bata|do|bolo|please|again|hai|th[ai]|hoga|mer[aei]|pata|yaad|tumhe))*$")
_NEW = (r"(?=(?:i|i['’](?:m|ve)|main|maine|mujhe|what|who|where|kya|batao|(?:can|could|will|would|do|did) you|is my|am i|do i"
        r"|(?:my|our) [^.!?,;]{1,60}? (?:is|are|was|has)|(?:mer[aei]|hamar[aei]) [^.!?,;]{1,60}? (?:hai|hain|he|kya|th[ai])"
        r"|[^.!?,;]{1,40} me(?:in)? [^.!?,;]{0,30}(?:reht|kart)[aie] h(?:oon?|un?)"
        r"|(?:when|how|why) (?:is|are|will|can|could|should|do|does|did|long|much|many|far|soon)"
        r"|(?:is|are|has|have|will|does|did) (?:it|they|that|this|the|there)(?! (?:right|correct|true|ok\w*)\b|\W*$))\b)")
_ABBREVIATION = r"(?<!\b(?:Dr|Mr|Ms|Rs|no|St)\.)(?<!\bMrs\.)(?<!\bProf\.)(?<![ .](?-i:[A-Z])\.)(?<!^(?-i:[A-Z])\.)"
CUT = re.compile(rf"(?<=[.!?]){_ABBREVIATION} |; |,? (?:and|aur|but|lekin|par|so|toh) {_NEW}|, {_NEW}"
                 r"|(?:(?<=\bhai)|(?<=\bhoon)|(?<=\bhu)|(?<=\bhun))(?: bhai| yaar)?, (?=(?:\w+ ){0,3}(?:kab|kahan|kitn[aei]|kaise|kyun)\b)", re.I)

# A relative alone asks for the name ("do you remember my brother?"), but not in "mere papa kab aayenge?"
OF_WHOM = re.compile(r"\b(?:kab|kahan|kitn[aei]|kaise|kyun|kya (?:\w+ )?(?:kart|kar rah|kh)\w*|how|when|where|why|what (?:do|does|did))\b", re.I)
LIST = re.compile(rf"\bmer[aei] (?:{_KNOWN})\b[^,.!?]{{0,60}}? (?:hai|he)(?:(?:,| aur|, aur) (?:{_KNOWN})\b[^,.!?]{{0,60}}? (?:hai|he)\b)+", re.I)
LISTED = re.compile(rf"(?:,| aur|, aur) (?=(?:{_KNOWN})\b)", re.I)  # "mera naam kya hai, sheher kya hai": "mera" said once
ALSO = r",? (?:and|aur) (?:{my} )?{rel}(?: k[aei]|'s)$"  # "mera sheher kya hai, aur meri behen ka?"


@lru_cache(maxsize=None)  # compiled at the first use: importing the course stays quick
def compiled(pattern):
    """A row's pattern as a regex, with the value in the group `v`."""
    for placeholder, regex in _FIT.items():
        pattern = pattern.replace(placeholder, regex)
    pieces = re.split(r"(?<!\?P)<(\w+)>", pattern)  # text, shape, text, …
    return re.compile("".join(f"(?P<v>{SHAPES[p]})" if i % 2 else f"(?i:{p})" for i, p in enumerate(pieces)))
