"""The chatbot as a program: `python3 course.py chat`. The graph is in chatbot.py, the memory file in chatfile.py.

In a terminal it is a chat with commands (/help). With standard input from a file or another program it reads one
message a line and writes one reply a line, and nothing else, to standard output.
"""

import argparse
import getpass
import os
import re
import secrets
import sqlite3
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, SystemMessage

from course_lib import chatbot, facts, forgetting, models, privacy, tokens
from course_lib.chatfile import ChatFile, Refused, default_path, unusable

FORM = "Fill the form from the newest message alone. What stands here is quoted data that helps to understand it."

LONGEST = 4000
"""Characters in one message. More is refused: the newest message is always sent, so it must not fill the prompt."""

KEPT_FACTS = ", ".join(field.replace("_", " ") for field in chatbot.Heard.model_fields if field != "forget")

KEPT = 60
"""Messages in a thread's state, more than fit into a prompt. Older ones are in the log only."""

BREAKS = {"Cc", "Zl", "Zp"}
"""Unicode's categories of control characters and of what ends a line or a paragraph."""

EVERYTHING = {"everything", "all", "sab", "sab kuch"}

TEXTS = {  # what the program says itself, in English and in Hinglish
    "start": (
        "You are {user}. This is thread {thread}; to continue it later: --thread {thread}\n"
        "Memory file: {path}\n/help lists the commands, Ctrl-D ends the chat.",
        "Tum {user} ho. Yeh thread {thread} hai; baad mein jaari rakhne ke liye: --thread {thread}\n"
        "Memory file: {path}\n/help se commands dikhenge, Ctrl-D se chat band.",
    ),
    "again": ("Welcome back, {name}.", "Phir se swagat hai, {name}."),
    "resumed": ("This is thread {thread}, with {count} messages.", "Yeh thread {thread} hai, {count} message."),
    "bye": ("Bye. To continue: --thread {thread}", "Phir milenge. Jaari rakhne ke liye: --thread {thread}"),
    "help": (
        "/memory           what is remembered about you, and which sentence it came from\n"
        "/forget FACT      forget one fact, such as /forget city\n"
        "/forget everything  forget all facts and delete all your threads\n"
        "/threads          your threads\n"
        "/resume ID        continue one of them\n"
        "/export FILE      write this thread into a text file\n"
        "/why              the exact prompt of the last call, with token counts\n"
        "/quit             end (Ctrl-D too)\n"
        "Remembered in every thread: {facts}. Anything else only while it is among the last turns of its thread.",
        "/memory           tumhare baare mein kya yaad hai, aur kis vaakya se\n"
        "/forget FACT      ek baat bhool jao, jaise /forget sheher\n"
        "/forget everything  sab baatein bhool jao, aur saare threads delete karo\n"
        "/threads          tumhare threads\n"
        "/resume ID        unmein se koi jaari rakho\n"
        "/export FILE      yeh thread ek text file mein likho\n"
        "/why              aakhri call ka poora prompt, token ki ginti ke saath\n"
        "/quit             band karo (Ctrl-D bhi)\n"
        "Har thread mein yaad: {facts}. Baaki sab tabhi tak, jab tak apne thread ke aakhri turns mein hai.",
    ),
    "no command": ("There is no command {command}. /help lists them.", "{command} koi command nahi hai. /help dekho."),
    "empty": ("That message was empty. What would you like to say?", "Message khaali tha. Kya kehna hai?"),
    "masked": (
        "E-mail addresses, phone and card numbers and ids are masked: neither the model nor the memory file gets them.",
        "E-mail, phone aur card number, aur id chhupa diye jaate hain: na model ko milte hain, na memory file ko.",
    ),
    "too long": (
        "That message has {count} characters; at most {longest} are read. Please send a shorter one.",
        "Us message mein {count} characters hain; {longest} tak hi padhe jaate hain. Chhota message bhejo.",
    ),
    "file trouble": (
        "The memory file cannot be used at the moment ({error}). What was answered before is in it.",
        "Memory file abhi use nahi ho rahi ({error}). Jo pehle jawaab mil chuke, woh usmein hain.",
    ),
    "no answer": (
        "The model gave no answer ({error}). Please try again.",
        "Model se jawaab nahi aaya ({error}). Dobara bhejo.",
    ),
    "nothing known": ("I remember nothing about you.", "Mujhe tumhare baare mein kuch yaad nahi."),
    "which fact": ("Forget what? I remember: {facts}.", "Kya bhoolna hai? Mujhe yaad hai: {facts}."),
    "forgotten": ("Forgotten: {facts}.", "Bhool gaya: {facts}."),
    "forgotten soon": (
        "Another program is still busy with your memory. It is forgotten before your next message is read.",
        "Ek aur program abhi tumhari memory mein laga hai. Tumhare agle message se pehle yeh mit jaayega.",
    ),
    "all forgotten": (
        "All forgotten. Facts: {count}, threads: {threads}. A new thread begins: {thread}",
        "Sab bhool gaya. Facts: {count}, threads: {threads}. Naya thread shuru: {thread}",
    ),
    "no threads": ("You have no threads yet.", "Abhi tumhara koi thread nahi hai."),
    "no id": ("Write an id: /resume ID. /threads lists them.", "Id likho: /resume ID. /threads mein dekho."),
    "no such thread": (
        "You have no thread {thread}. /threads lists yours.",
        "Tumhara koi thread {thread} nahi hai. /threads mein apne dekho.",
    ),
    "no file": ("Write a file name: /export FILE", "File ka naam likho: /export FILE"),
    "exists": ("{path} exists already. Choose another name.", "{path} pehle se hai. Koi aur naam chuno."),
    "not written": ("{path} could not be written: {error}", "{path} likhi nahi ja saki: {error}"),
    "exported": ("{count} messages are in {path}.", "{count} message {path} mein hain."),
    "no call": ("No call has been made since this start.", "Is baar abhi tak koi call nahi hui."),
    "sent": (
        "The last call sent {total} tokens:\n{lines}\nEarlier messages in it: {quoted}; not sent: {left}.",
        "Aakhri call mein {total} tokens gaye:\n{lines}\nUsmein pehle ke message: {quoted}; nahi gaye: {left}.",
    ),
}


class LastPrompt(BaseCallbackHandler):
    """Keeps the messages that the node `reply` sent to its model most recently."""

    messages = None

    def on_chat_model_start(self, serialized, messages, *, metadata=None, **kwargs):
        if (metadata or {}).get("langgraph_node") == "reply":
            self.messages = messages[0]


class Chat:
    """One user's chat on an open ChatFile. `answer(line)` takes a message or a command and returns what to show."""

    def __init__(self, file, user, thread, model):
        self.file, self.user, self.thread = file, user, thread
        self.exit_code = 0  # 1 after trouble with the memory file
        self.read = model.with_structured_output(chatbot.Heard).invoke
        self.graph = chatbot.build_graph(
            chatbot.model_reply(model), self.extract, checkpointer=file.saver, store=file.store, keep=KEPT
        )
        self.last_prompt = LastPrompt()
        said = file.last_said(user)
        self.language = None if said is None else int(facts.is_hinglish(said))  # None: not known yet, say it in both

    def say(self, key, **values):
        """A text of the program, in the language of the user's last message."""
        texts = [text.format(**values) for text in TEXTS[key]]
        return "\n".join(texts) if self.language is None else texts[self.language]

    def known(self):
        return chatbot.profile(self.file.store, self.user)

    def config(self):
        return {"configurable": {"thread_id": self.thread}, "callbacks": [self.last_prompt]}

    def answer(self, line, show=lambda piece: None):
        """The reply to one line; where a model makes it, `show` gets the same text piece by piece."""
        line = clean(line)
        try:
            self.forget_wished()
            if line.startswith("/"):
                return self.command(line)
            if not line:
                return self.say("empty")
            if len(line) > LONGEST:
                return self.say("too long", count=len(line), longest=LONGEST)
            self.language = int(facts.is_hinglish(line))
            masked, notes = privacy.masked(line), []
            with self.file.lease(self.user, self.thread):
                reply = self.turn(masked, show)
            try:
                self.forget_wished()
            except Refused:
                notes.append("forgotten soon")
            if masked != line:
                notes.append("masked")
            for note in notes:
                show("\n" + self.say(note))
                reply += "\n" + self.say(note)
            return reply
        except Refused as refused:
            return refused.texts[self.language or 0]
        except sqlite3.Error as error:
            self.exit_code = 1
            return self.say("file trouble", error=error)

    def turn(self, text, show):
        """One turn of the graph. The message is logged before the model is asked, the reply before it is returned."""
        self.file.claim(self.thread, self.user)
        self.file.add(self.thread, "user", text)
        shown = ""
        said = {"messages": [HumanMessage(text)], "user_id": self.user}
        try:  # durability="exit": a turn is saved whole, at its end, and the file grows by one checkpoint
            for kind, event in self.graph.stream(
                said, self.config(), stream_mode=["messages", "values"], durability="exit"
            ):
                if kind == "values":
                    state = event
                elif event[1]["langgraph_node"] == "reply":
                    shown += event[0].text
                    show(event[0].text)
        except sqlite3.Error:
            raise  # the file's trouble, not the model's
        except Exception as error:  # noqa: BLE001  each provider has its own classes for what can go wrong
            return self.say("no answer", error=f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
        reply = state["messages"][-1].text
        show(reply.removeprefix(shown))  # the note on changed memory comes after what the model said
        self.file.add(self.thread, "assistant", reply)
        self.file.drop_old_checkpoints(self.thread)
        return reply

    def extract(self, message):
        """What a message tells. What it wants forgotten is in the file as a wish before the graph deletes anything.

        "No, Nashik" tells something only beside the last two exchanges; "also" and "not Pune" only beside the profile.
        """
        known = self.known()
        earlier = self.graph.get_state(self.config()).values.get("messages", [])[-4:]
        context = [SystemMessage(chatbot.remembered(earlier, known, FORM))] if earlier or known else []
        heard = self.read([*context, message]) or chatbot.Heard()
        if heard.forget:
            told = heard.model_dump(exclude_none=True)
            wishes = forgetting.named(self.file, self.user, known, heard.forget)
            wishes = [(fact, value) for fact, value in wishes if fact.replace(" ", "_") not in told]  # replaced instead
            for fact, value in wishes:
                self.file.wish(self.user, fact, value)
            heard.forget = [f"{fact}: {value}" for fact, value in wishes]
        return heard

    def forget_wished(self, patience=None):
        """Carry out what is wished to be forgotten, by this program or one that was killed meanwhile."""
        if forgetting.carry_out(self.file, self.graph, self.user, patience):
            self.last_prompt.messages = None

    # --- commands

    def command(self, line):
        name, _, argument = line[1:].partition(" ")
        name = name.lower()
        commands = {
            "help": lambda: self.say("help", facts=KEPT_FACTS),
            "memory": self.memory,
            "forget": lambda: self.forget(re.sub(r"[,.! ]*(?:please|now|abhi)?[.! ]*$", "", argument.strip().lower())),
            "threads": self.threads,
            "resume": lambda: self.resume(argument.strip()),
            "export": lambda: self.export(argument.strip()),
            "why": self.why,
        }
        return commands.get(name, lambda: self.say("no command", command=f"/{name}"))()

    def memory(self):
        lines = [
            f'{fact}: {entry["value"]}   <- "{entry["said"]}" ({entry["at"]}, thread {entry["thread"]})'
            for fact, entry in self.known().items()
        ]
        return "\n".join(lines) or self.say("nothing known")

    def forget(self, wish):
        known, threads, fact = self.known(), self.file.threads(self.user), facts.canonical(wish)
        everything = wish in EVERYTHING
        wishes = [forgetting.EVERYTHING] if everything else forgetting.named(self.file, self.user, known, [fact])
        if not wishes:
            told = ", ".join(dict(forgetting.named(self.file, self.user, known, ["everything"])))
            return self.say("which fact", facts=told) if told else self.say("nothing known")
        for each in wishes:
            self.file.wish(self.user, *each)
        try:
            self.forget_wished()
        except Refused:
            return self.say("forgotten soon")
        if not everything:
            return self.say("forgotten", facts=fact)
        self.thread = new_thread()
        return self.say("all forgotten", count=len(known), threads=len(threads), thread=self.thread)

    def threads(self):
        lines = [
            f"{'*' if thread == self.thread else ' '} {thread}  {started}  {count:3}  {(first or '')[:40]}"
            for thread, started, count, first in self.file.threads(self.user)
        ]
        return "\n".join(lines) or self.say("no threads")

    def resume(self, thread):
        if not thread:
            return self.say("no id")
        if self.file.owner(thread) != self.user:  # one sentence for "none" and "somebody else's"
            return self.say("no such thread", thread=thread)
        self.thread, self.last_prompt.messages = thread, None
        return self.say("resumed", thread=thread, count=len(self.file.messages(thread)))

    def export(self, name):
        path = Path(os.path.expanduser(name))
        messages = self.file.messages(self.thread)
        if not name:
            return self.say("no file")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.writelines(f"{at}  {speaker}: {text}\n" for _, speaker, text, at in messages)
        except FileExistsError:
            return self.say("exists", path=path)
        except OSError as error:
            return self.say("not written", path=path, error=error.strerror)
        return self.say("exported", count=len(messages), path=path.absolute())

    def why(self):
        sent = self.last_prompt.messages
        if sent is None:
            return self.say("no call")
        lines = [f"{n:3} {m.type:6} {tokens.count(m):5}  {m.text}" for n, m in enumerate(sent, 1)]
        lines = [line.replace("\n", "\n" + 18 * " ") for line in lines]
        quoted = len(re.findall('^(?:human|ai): "', sent[0].text, re.M))
        left = len(self.file.messages(self.thread)) - 2 - quoted  # the log has the newest message and the reply too
        return self.say("sent", total=tokens.count(sent), lines="\n".join(lines), quoted=quoted, left=left)


def clean(line):
    """One line as text that can be stored and printed: no control characters or line ends, no halves of characters."""
    text = line.encode("utf-8", "replace").decode()
    return "".join(" " if unicodedata.category(letter) in BREAKS else letter for letter in text).strip()


def new_thread():
    return secrets.token_hex(8)


def terminal(chat):
    """A chat with a person, until Ctrl-D, Ctrl-C or /quit."""
    try:
        import readline  # noqa: F401  from here on input() can edit its line and knows the earlier ones
    except ImportError:
        pass  # Windows: its terminal does both by itself
    print(chat.say("start", user=chat.user, thread=chat.thread, path=chat.file.path))
    try:
        if name := chat.known().get("name"):
            print(chat.say("again", name=name["value"]))
        while (line := input("\nyou> ").strip()).split(" ")[0] != "/quit":
            pieces = []

            def show(piece, pieces=pieces):
                print("bot> " * (not pieces) + piece, end="", flush=True)
                pieces.append(piece)

            reply = chat.answer(line, show)
            print() if "".join(pieces) == reply else print("\n" * bool(pieces) + reply)
    except (EOFError, KeyboardInterrupt):
        print()
    print(chat.say("bye", thread=chat.thread))
    return chat.exit_code


def pipe(chat):
    """One message a line in, one reply a line out."""
    print(chat.say("start", user=chat.user, thread=chat.thread, path=chat.file.path), file=sys.stderr)
    try:
        for line in sys.stdin:
            if line.strip().split(" ")[0] == "/quit":
                break
            print(" | ".join(part.strip() for part in chat.answer(line).splitlines() if part.strip()), flush=True)
    except KeyboardInterrupt:
        pass
    except BrokenPipeError:  # whoever read the replies has gone: let Python not try again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return chat.exit_code


def start(options):
    """The Chat that the options ask for. Raises Refused, or RuntimeError for a model that cannot be set up."""
    user = options.user if options.user is not None else login()
    for what, text in (("user", user), ("thread", options.thread)):
        if text is not None and (not text.strip() or clean(text) != text):
            raise Refused(
                f"The {what} id {text!r} cannot be used: it must be text, not empty, without control characters.",
                f"{what} id {text!r} nahi chalegi: text chahiye, khaali nahi, bina control characters ke.",
            )
    model = models.chat_model(options.model)
    file = ChatFile(options.data or default_path())
    try:
        chat = Chat(file, user, options.thread or new_thread(), model)
        file.check_owner(chat.thread, user)
        with suppress(Refused):  # busy: then before the first message is read
            chat.forget_wished(patience=0)
    except sqlite3.Error as error:
        raise unusable(file.path, error) from error
    return chat


def login():
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "me"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="course.py chat", description="A chatbot that remembers you.")
    parser.add_argument("--user", metavar="NAME", help="who you are; otherwise your name on this computer")
    parser.add_argument("--thread", metavar="ID", help="the conversation to continue; otherwise a new one")
    parser.add_argument("--data", metavar="FILE", help="the memory file; otherwise one for you on this computer")
    parser.add_argument("--model", metavar="NAME", help='such as "openai:gpt-4o-mini"; otherwise COURSE_MODEL')
    options = parser.parse_args(arguments)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed before the start
            setattr(sys, name, open(os.devnull, mode))
        stream = getattr(sys, name)
        stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="replace")
    sys.stdin.reconfigure(newline="\n")
    try:
        chat = start(options)
    except (Refused, RuntimeError) as error:
        print("\n".join(getattr(error, "texts", [str(error)])), file=sys.stderr)
        return 2
    with chat.file:
        return terminal(chat) if sys.stdin.isatty() else pipe(chat)
