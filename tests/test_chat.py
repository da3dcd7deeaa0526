"""The chat program: its turns and commands on a real file, then as a process behind pipes and in a pseudo-terminal."""

import os
import re
import select
import subprocess
import sys
import time

import pytest

from course_lib import chat, chatbot, models
from course_lib.chatfile import ChatFile, Refused, default_path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


@pytest.fixture
def opened(tmp_path):
    """opened(user, thread) gives a Chat on one file of the test; all are closed at its end, or by opened.close()."""
    files = []

    def open_chat(user="fraz", thread="one"):
        files.append(ChatFile(tmp_path / "chat.sqlite"))
        return chat.Chat(files[-1], user, thread, models.KeylessChatModel())

    def close():
        while files:
            files.pop().__exit__()

    open_chat.close = close
    yield open_chat
    close()


def kept_bytes(tmp_path):
    return b"".join(path.read_bytes() for path in tmp_path.glob("chat.sqlite*"))


# --- turns


def test_the_four_proofs_on_one_file(opened):
    assert opened().answer("My name is Fraz.") == "Noted: your name is Fraz."
    assert opened().answer("What is my name?") == "Your name is Fraz."
    assert len(opened().file.messages("one")) == 4
    assert opened(thread="two").answer("Mera naam kya hai?") == "Tumhara naam Fraz hai."
    assert len(opened().file.messages("two")) == 2
    assert opened("asha", "three").answer("What is my name?").startswith("I don't know")


def test_a_reply_is_shown_in_pieces_that_add_up_to_it(opened):
    talk, pieces = opened(), []
    talk.answer("I live in Pune.", pieces.append)
    pieces.clear()
    assert talk.answer("I moved to Nashik.", pieces.append) == "".join(pieces)
    assert pieces[-1] == " [memory: city: Pune -> Nashik]"
    assert len(pieces) > 3


def test_the_log_holds_the_message_even_if_the_model_fails(opened):
    def fails(state):
        raise ConnectionError("no network\nand more")

    talk = opened()
    talk.graph = chatbot.build_graph(
        fails, lambda message: chatbot.Heard(), checkpointer=talk.file.saver, store=talk.file.store
    )
    assert talk.answer("Hello?") == "The model gave no answer (ConnectionError: no network). Please try again."
    assert [row[1:3] for row in talk.file.messages("one")] == [("user", "Hello?")]
    assert opened().answer("I live in Pune.") == "Noted: your city is Pune."


@pytest.mark.parametrize("line", ["", "   ", "\t\n", "\x00\x07"])
def test_an_empty_message_gets_a_sentence(opened, line):
    assert "empty" in opened().answer(line)


def test_odd_messages_get_a_reply(opened):
    talk = opened()
    assert "80000 characters" in talk.answer("x" * 80_000)
    for line in ("\ud800 half a character", "שלום", "a\x1b[31mb", "' OR 1=1 --", "😀", "x" * 4000):
        assert talk.answer(line)
    assert "\x1b" not in talk.file.messages("one")[4][2]


# --- commands


def test_memory_shows_facts_and_their_sentences(opened):
    talk = opened()
    assert talk.answer("/memory") == "\n".join(chat.TEXTS["nothing known"])  # no message yet: both languages
    talk.answer("Mera naam Fraz hai aur main Pune mein rehta hoon.")
    assert re.search(r'^city: Pune   <- "Mera naam Fraz hai .*thread one\)$', talk.answer("/memory"), re.M)


@pytest.mark.parametrize("wish", ["/forget city", "/forget sheher", "Forget my city.", "mera sheher bhool jao"])
def test_a_forgotten_fact_is_gone_from_every_thread_and_from_the_bytes(opened, tmp_path, wish):
    talk = opened()
    talk.answer("My name is Fraz and I live in Pune.")
    talk.answer("I moved to Nashik.")
    other = opened(thread="two")
    other.answer("Where do I live?")
    other.answer(wish)
    for talk in (other, opened()):
        assert talk.answer("Where do I live?").startswith("I don't know")
        assert talk.answer("What is my name?") == "Your name is Fraz."
    assert "Nashik" not in talk.answer("/why") + talk.answer("/memory")
    opened.close()
    assert not re.search(rb"Pune|Nashik", kept_bytes(tmp_path))


TOLD_BEFORE = {  # messages; then what /memory holds
    "No, Ujjain": (["I live in Indore.", "No, Ujjain"], {"city": "Ujjain"}),
    "meant": (["I live in Nasik", "sorry, typo, I meant Nashik"], {"city": "Nashik"}),
    "nahi": (["main Indore mein rehta hoon", "Indore nahi, Dewas"], {"city": "Dewas"}),
    "after the answer": (["I live in Pune.", "Where do I live?", "No, it's Nashik."], {"city": "Nashik"}),
    "another thread": (["My name is Fraz.", "NEW", "Thanks.", "Not Fraz, Faraz"], {"name": "Faraz"}),
    "also": (["I'm allergic to peanuts", "NEW", "I'm also allergic to prawns"], {"allergy": "peanuts, prawns"}),
    "no longer": (["I live in Nagpur", "I no longer live in Nagpur, I live in Pune now"], {"city": "Pune"}),
    "not told anew": (["I live in Pune.", "Forget my city.", "Hello."], {}),
    "old context": (["I live in Pune.", "NEW", "I moved to Goa.", "OLD", "Thanks."], {"city": "Goa"}),
}


@pytest.mark.parametrize("case", TOLD_BEFORE)
def test_a_message_is_understood_beside_what_was_said_before(opened, case):
    talk, (lines, known) = opened(), TOLD_BEFORE[case]
    for line in lines:
        if line in ("NEW", "OLD"):
            talk = opened(thread={"NEW": "two", "OLD": "one"}[line])
        else:
            talk.answer(line)
    assert {fact: entry["value"] for fact, entry in talk.known().items()} == known


@pytest.mark.parametrize("wish", ["/forget diet", "/forget DIET, please", "Forget my diet.", "Delete all my data."])
def test_what_only_the_thread_knows_is_forgotten_too(opened, tmp_path, wish):
    talk = opened()
    for line in ("My diet is jainfood.", "My name is Fraz.", "What is my diet?"):
        talk.answer(line)
    talk.answer(wish)
    assert talk.answer("What is my diet?").startswith("I don't know")
    assert b"jainfood" not in kept_bytes(tmp_path)  # the program still runs: the write-ahead log was emptied too


def test_what_is_masked_is_said(opened):
    reply = opened().answer("My phone number is 98765 43210.")
    assert reply.startswith("Noted: your phone number is [phone].\nE-mail addresses, phone")


def test_values_that_only_the_model_understood_are_forgotten_too(opened, tmp_path):
    cities = {"Sun, sea and Panaji at last": "Panaji", "Nobody leaves Shimla": "Shimla", "Kochi, my heart": "Kochi"}
    talk = opened()
    talk.read = lambda messages: chatbot.Heard(city=cities.get(messages[-1].text))
    for line in (*cities, "Shimla tea is fine, and Panaji is a word", "Good night"):
        talk.answer(line)
    assert "Forgotten" in talk.answer("/forget city")
    assert talk.file.messages("one")[-2][2] == "Good night"
    opened.close()
    assert not re.search(rb"Panaji|Shimla|Kochi", kept_bytes(tmp_path))


def test_forget_everything_leaves_nothing_of_the_user(opened, tmp_path):
    other = opened("asha", "hers")
    other.answer("I live in Goa.")
    talk = opened()
    talk.answer("My name is Fraz.")
    assert "Facts: 1, threads: 1." in talk.answer("/forget everything")
    assert talk.thread != "one"
    assert "no threads" in talk.answer("/threads")
    assert other.answer("Where do I live?") == "Your city is Goa."
    opened.close()
    assert b"Fraz" not in kept_bytes(tmp_path)


def test_forget_says_what_it_can_forget(opened):
    talk = opened()
    talk.answer("I live in Pune.")
    assert talk.answer("/forget shoe size") == "Forget what? I remember: city."
    assert talk.answer("/forget") == "Forget what? I remember: city."


def test_threads_and_resume_know_only_the_users_own(opened):
    opened("asha", "hers").answer("I live in Goa.")
    talk = opened()
    talk.answer("I live in Pune.")
    assert "hers" not in talk.answer("/threads")
    assert talk.answer("/resume hers") == "You have no thread hers. /threads lists yours."
    assert talk.answer("/resume nowhere") == "You have no thread nowhere. /threads lists yours."
    later = opened(thread="two")
    assert later.answer("/resume one") == "This is thread one, with 2 messages."
    later.answer("Where do I live?")
    assert len(later.file.messages("one")) == 4


def test_export_writes_the_whole_thread_and_overwrites_nothing(opened, tmp_path):
    talk = opened()
    for number in range(40):
        talk.answer(f"Sentence number {number} takes some room in the prompt, more than a few words.")
    assert "80 messages" in talk.answer(f"/export {tmp_path / 'talk.txt'}")
    lines = (tmp_path / "talk.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 80
    assert lines[0].endswith("user: Sentence number 0 takes some room in the prompt, more than a few words.")
    assert "exists already" in talk.answer(f"/export {tmp_path / 'talk.txt'}")
    assert "could not be written" in talk.answer(f"/export {tmp_path / 'nowhere' / 'talk.txt'}")
    assert "file name" in talk.answer("/export")


def test_why_shows_the_exact_prompt_with_tokens(opened):
    talk = opened()
    assert "No call" in talk.answer("/why")
    talk.answer("I live in Pune.")
    shown = talk.answer("/why")
    assert shown.startswith("The last call sent ")
    assert '- city: "Pune"' in shown and "human      8  I live in Pune." in shown
    total, parts = int(re.search(r"(\d+) tokens", shown)[1]), re.findall(r"^ +\d+ \w+ +(\d+)  ", shown, re.M)
    assert sum(map(int, parts)) == total
    for _ in range(40):
        talk.answer("Here is a longer sentence that takes some room in the prompt of each turn.")
    quoted, left = map(int, re.search(r"Earlier messages in it: (\d+); not sent: (\d+)", talk.answer("/why")).groups())
    assert quoted > 10 and left > 10 and quoted + left == 82 - 2  # the newest is sent as it is, the reply came after


def test_an_unknown_command_and_help(opened):
    talk = opened()
    talk.answer("Namaste, mera naam Fraz hai.")
    assert talk.answer("/jao") == "/jao koi command nahi hai. /help dekho."
    for command in ("/memory", "/forget", "/threads", "/resume", "/export", "/why"):
        assert command in talk.answer("/help")


# --- the file


def options(tmp_path, **given):
    values = {"user": "fraz", "thread": None, "data": tmp_path / "chat.sqlite", "model": None} | given
    return chat.argparse.Namespace(**values)


def test_a_fresh_thread_cannot_be_guessed():
    threads = {chat.new_thread() for _ in range(100)}
    assert len(threads) == 100 and all(len(thread) == 16 for thread in threads)


@pytest.mark.parametrize("given", [{"user": ""}, {"user": " "}, {"thread": ""}, {"user": "\x00"}, {"thread": "\ud800"}])
def test_an_id_that_is_no_text_is_refused(tmp_path, given):
    with pytest.raises(Refused, match="id .* cannot be used"):
        chat.start(options(tmp_path, **given))


@pytest.mark.parametrize("name", ["a.b@example.com", "x y", "../..", "';--", "मीरा", "😀", "u" * 1000])
def test_ids_of_any_text_work(tmp_path, name):
    talk = chat.start(options(tmp_path, user=name, thread=name))
    assert talk.answer("I live in Pune.") == "Noted: your city is Pune."
    assert "Pune" in talk.answer("/memory")
    talk.file.__exit__()


def test_the_thread_of_another_user_is_refused(tmp_path, opened):
    opened("asha", "hers").answer("Hello.")
    with pytest.raises(Refused, match="another user"):
        chat.start(options(tmp_path, thread="hers"))


def test_a_file_of_something_else_is_left_as_it_is(tmp_path):
    text, other, newer = (tmp_path / name for name in ("notes.txt", "other.sqlite", "newer.sqlite"))
    text.write_text("my notes")
    for path, pragma in ((other, "application_id = 1"), (newer, "user_version = 99")):
        with ChatFile(path) as file:
            file._log.execute(f"PRAGMA {pragma}")
    for path, reason in ((text, "no SQLite database"), (other, "another program"), (newer, "newer version")):
        before = path.read_bytes()
        with pytest.raises(Refused, match=reason):
            ChatFile(path)
        assert path.read_bytes() == before


def test_a_file_that_cannot_be_written_gets_a_sentence(tmp_path):
    with pytest.raises(Refused, match="cannot be used"):
        ChatFile(tmp_path)  # a folder
    if os.name == "posix" and os.geteuid() != 0:
        tmp_path.chmod(0o500)
        with pytest.raises(Refused, match="cannot be used"):
            ChatFile(tmp_path / "chat.sqlite")
        tmp_path.chmod(0o700)


def test_the_default_place_belongs_to_the_user(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "llm-memory-course" / "chat.sqlite"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert default_path() == tmp_path / "Local" / "llm-memory-course" / "chat.sqlite"


# --- the process

PROGRAM = [sys.executable, "-P", "-m", "course_lib"]


def environment(tmp_path):
    variables = {name: value for name, value in os.environ.items() if name != models.SETTING}
    return variables | {"XDG_DATA_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "TERM": "dumb"}


def test_behind_pipes_each_line_gets_one_line(tmp_path):
    said = "My name is Fraz.\nMera naam kya hai?\n\n/help\n/nothing\n\udcff\nWhat is my name?"
    arguments = ["--user", "fraz", "--thread", "one", "--data", "chat.sqlite"]
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=said.encode("utf-8", "surrogateescape"),
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert len(lines) == 7
    assert lines[:2] == ["Noted: your name is Fraz.", "Tumhara naam Fraz hai."]
    assert lines[-1] == "Your name is Fraz."
    assert "--thread one" in done.stderr.decode() and str(tmp_path / "chat.sqlite") in done.stderr.decode()


def test_a_bad_file_ends_the_program_with_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("my notes")
    command = [*PROGRAM, "--data", str(tmp_path / "notes.txt")]
    done = subprocess.run(command, input="Hello.\n", capture_output=True, text=True, env=environment(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a memory file of this chat" in done.stderr and "Traceback" not in done.stderr


class Terminal:
    """The program in a pseudo-terminal: `send` types, `wait` reads until a text appears and returns what came."""

    def __init__(self, tmp_path, *arguments):
        import pty

        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(tmp_path),
            start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
        )
        os.close(slave)
        self.unread = ""

    def send(self, text):
        os.write(self.master, text.encode())

    def wait(self, text, seconds=60):
        until = time.monotonic() + seconds
        while text not in self.unread and time.monotonic() < until:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.unread += os.read(self.master, 4096).decode("utf-8", "replace")
                except OSError:  # the program has ended
                    break
        before, found, self.unread = self.unread.partition(text)
        assert found, before
        return before + found

    def interrupt(self):
        """Press Ctrl-C until something comes: Python loses one that falls between the prompt and the wait for a key."""
        for _ in range(5):
            self.send("\x03")
            if select.select([self.master], [], [], 5)[0]:
                return

    def end(self):
        try:
            return self.process.wait(15)
        finally:
            self.process.kill()
            os.close(self.master)


@POSIX
def test_in_a_terminal_today_and_tomorrow(tmp_path):
    today = Terminal(tmp_path, "--user", "fraz")
    start = today.wait("you> ")
    thread = re.search(r"--thread ([0-9a-f]{16})\b", start)[1]
    assert str(tmp_path / "llm-memory-course" / "chat.sqlite") in start
    today.send("My name is Fraz.\r")
    today.wait("bot> Noted: your name is Fraz.")
    today.send("/memory\r")
    today.wait('name: Fraz   <- "My name is Fraz."')
    today.wait("you> ")
    today.send("\x04")  # Ctrl-D
    today.wait(f"Bye. To continue: --thread {thread}")
    assert today.end() == 0

    tomorrow = Terminal(tmp_path, "--user", "fraz", "--thread", thread)
    tomorrow.wait("Welcome back, Fraz.")
    tomorrow.wait("you> ")
    tomorrow.send("Mera naam kya hai?\r")
    tomorrow.wait("bot> Tumhara naam Fraz hai.")
    tomorrow.wait("you> ")
    tomorrow.send("\x1b[A\r")  # the line before, from the history
    tomorrow.wait("bot> Tumhara naam Fraz hai.")
    tomorrow.send("/why\r")
    tomorrow.wait("Known about the user")
    tomorrow.wait("you> ")
    tomorrow.interrupt()
    last = tomorrow.wait("Phir milenge.")
    assert "Traceback" not in last
    assert tomorrow.end() == 0
