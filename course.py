"""Starts the course. Needs nothing but Python 3.11, 3.12 or 3.13 (on Windows write `py` for `python3`):

    python3 course.py lab [--no-browser] [--port N]    opens the lessons in JupyterLab
    python3 course.py test                             executes every notebook again and runs all tests
    python3 course.py chat [--user NAME] [--help]      the chatbot of lesson 07, in this terminal

What follows `--` goes to JupyterLab or to pytest. The first start makes the folder .venv beside this file and installs
the course's packages there; pip's own settings (PIP_NO_INDEX, PIP_FIND_LINKS, pip.conf and so on) are honoured.
An older Python must be able to read this file, so that it gets a sentence and not a SyntaxError: the syntax is plain.
"""
import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.txt"
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
VERSIONS = [(3, 11), (3, 12), (3, 13)]

# Settings inside .venv only: no question about Jupyter news, no warning that kernels talk unencrypted.
SETTINGS = {
    "share/jupyter/lab/settings/overrides.json":
        '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}\n',
    "etc/ipython/ipython_kernel_config.py": 'get_config().IPKernelApp.log_level = "ERROR"\n',
}

FULL = "The disk is full. The course needs 1 GB: make room, then start again."
# What Python or pip prints when something is missing, and what to do about it. The first that is found is told.
REASONS = [
    (r"Errno (28|122)\]|WinError 112", FULL),
    (r"Error: \[(Errno (1|13|30)|WinError (5|32))\]", "The folder {root} cannot be written to. Stop a JupyterLab that "
     "still runs from it, or copy the course to a folder of your own, then start again."),
    (r"(?i)long path support", "The path of this folder is too long for Windows. Move the course to a short one, such "
     r"as C:\course, then start again."),
    (r"NewConnection|NameResolution|ConnectTimeout|ReadTimeout|[Rr]ead timed out|ProxyError|SSLError|IncompleteRead|"
     r"ProtocolError|Connection (broken|reset|refused|aborted)", "The packages cannot be fetched. The first start "
     "needs the internet, or a folder of wheels (PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER). Connect, then start again."),
    (r"No matching distribution found for (?P<package>[^\s;]+)", "pip finds no {package} for Python {python} on this "
     "computer. A folder of wheels must be filled on the same system with the same Python."),
]


def stop(sentence):
    sys.exit("\n" + sentence)


def explain(printed, step):
    """Stop with the sentence for what was printed; where none is known, with its last lines."""
    for pattern, sentence in REASONS:
        found = re.search(pattern, printed)
        if found:
            stop(sentence.format(root=ROOT, python="%d.%d" % sys.version_info[:2], **found.groupdict()))
    if shutil.disk_usage(str(ROOT)).free < 50e6:  # venv does not tell what the pip that it started has said
        stop(FULL)
    stop("%s failed. It said:\n\n%s" % (step, "\n".join(printed.splitlines()[-15:])))


def check_python(version):
    if tuple(version[:2]) not in VERSIONS:
        stop("The course needs Python 3.11, 3.12 or 3.13; this is Python %d.%d. Install one, then: %s course.py lab" %
             (version[0], version[1], "py -3.13" if WINDOWS else "python3.13"))
    if not all(importlib.util.find_spec(module) for module in ("venv", "ensurepip")):
        stop("This Python cannot make virtual environments. On Debian or Ubuntu: sudo apt install python3-venv")


def environment():
    """The variables for programs in .venv: the learner's own, less settings for Python, Jupyter and figures.

    PYTHONDONTWRITEBYTECODE above all: with it, every kernel would compile all packages anew, which takes seconds.
    """
    theirs = ("JUPYTER", "IPYTHON", "MPL", "MATPLOTLIBRC", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP",
              "PYTHONDONTWRITEBYTECODE")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    folders = {name: str(VENV / "own" / name.lower())
               for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR")}
    path = os.pathsep.join([str(PYTHON.parent), os.environ.get("PATH", "")])
    return dict(variables, VIRTUAL_ENV=str(VENV), PATH=path, PYTHONIOENCODING="utf-8", **folders)


@contextmanager
def program(command, **options):
    """A running program, ended with this one: a Ctrl-C or an error leaves nothing behind."""
    child = subprocess.Popen([str(part) for part in command], cwd=str(ROOT), **options)
    try:
        yield child
        child.wait()
    except KeyboardInterrupt:
        if not WINDOWS:  # there Ctrl-C reaches the child by itself, and terminate() would not let it end its kernels
            child.terminate()
        try:
            child.wait(15)
        except subprocess.TimeoutExpired:
            pass
        raise
    finally:
        child.kill()


def install(step, command):
    """One step of the installation: pip's many lines become one that counts the packages."""
    print(step, flush=True)
    lines, count = [], 0
    with program(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                 errors="replace") as child:
        for line in child.stdout:
            lines.append(line)
            if "Retrying (" in line:
                print("  no answer from the network, trying again", flush=True)
            if line.startswith(("Collecting ", "Processing ")):
                count += 1
                if sys.stdout.isatty():  # in a log, one line for each would be too much
                    print("  %d packages" % count, end="\r", flush=True)
            elif line.startswith("Installing collected") and count > 1:
                print("  %d packages; unpacking them takes a minute or two" % count, flush=True)
    if child.returncode:
        explain("".join(lines), step)


def prepare():
    """Make .venv and install the course, unless that was done to the end for this Python, folder and files."""
    check_python(sys.version_info)
    place = "Python %d.%d in %s\n" % (sys.version_info[0], sys.version_info[1], ROOT)
    files = b"".join((ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml"))
    stamp = place + hashlib.sha256(files).hexdigest()
    done = STAMP.read_text(encoding="utf-8") if STAMP.exists() and PYTHON.exists() else ""
    if done == stamp:
        return
    print("The course is being installed in %s. This happens once." % VENV)
    if done.startswith(place):  # only the files have changed: keep what the learner has added
        STAMP.unlink()
    else:
        base = getattr(sys, "_base_executable", sys.executable)
        install("Making a virtual environment", [base, "-m", "venv", "--clear", VENV])
    pip = [PYTHON, "-m", "pip", "install", "--no-user", "--progress-bar=off"]
    # Compiling what nobody imports takes a minute: Python compiles the rest when it is first used.
    install("Fetching packages", pip + ["--no-compile", "-r", "requirements.txt"])
    install("Adding the course", pip + ["--no-deps", "--no-build-isolation", "-e", "."])
    for name, text in SETTINGS.items():
        (VENV / name).parent.mkdir(parents=True, exist_ok=True)
        (VENV / name).write_text(text, encoding="utf-8")
    install("Trying it out", [PYTHON, "-c", "import course_lib, jupyterlab.labapp, langgraph.graph, matplotlib.pyplot"])
    STAMP.write_text(stamp, encoding="utf-8")  # last: without it, the next start begins anew


def is_free(port):
    with socket.socket() as probe:
        if not WINDOWS:  # as JupyterLab does: connections of a server that was just stopped do not count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
        return True


def lab(options, more):
    """JupyterLab on the first notebook, until Ctrl-C."""
    port = options.port or next(filter(is_free, range(8888, 8988)), 8888)
    if not is_free(port):
        stop("Port %d is taken or not allowed. Choose another one, such as: --port 8899" % port)
    if not options.port and port != 8888:
        print("Port 8888 is taken, so this is port %d." % port)
    print("JupyterLab is starting. Its address appears below; Ctrl-C ends it.", flush=True)
    command = [PYTHON, "-m", "jupyterlab", "--ServerApp.port=%d" % port, "--ServerApp.port_retries=0", "--allow-root",
               "--ServerApp.answer_yes=True", "--Application.log_level=ERROR",
               "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"]
    try:
        with program(command + ["--no-browser"] * options.no_browser + more, env=environment()) as child:
            pass
        return child.returncode
    except KeyboardInterrupt:
        return 0


def test(options, more):
    """The linter, then pytest: every notebook, each cell twice, outputs compared with the stored ones; then tests/."""
    online = ("COURSE_MODEL", "LANGSMITH", "LANGCHAIN")  # a learner's model or tracing is not what is tested
    variables = {name: value for name, value in environment().items() if not name.startswith(online)}
    pytest = ["pytest", "--nbval", "--numprocesses=auto", "--maxprocesses=4", "--dist=loadfile",
              "--no-loadscope-reorder"]
    codes = []
    for command in (["ruff", "check"], pytest + more):
        with program([PYTHON, "-m"] + command, env=variables) as child:
            pass
        codes.append(child.returncode)
    return max(codes, key=abs)


def chat(options, more):
    """The chatbot of lesson 07, in this terminal or behind a pipe."""
    command = [str(PYTHON), "-P", "-m", "course_lib"] + more
    if not WINDOWS:
        os.execve(command[0], command, environment())  # it takes this process's place, and so its Ctrl-C
    child = subprocess.Popen(command, env=environment())
    while child.poll() is None:
        try:
            child.wait()
        except KeyboardInterrupt:
            pass  # the chat hears it too, and ends by itself
    return child.returncode


def main(arguments):
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="lab | test | chat")
    commands.required = True
    opened = commands.add_parser("lab", help=lab.__doc__)
    opened.add_argument("--no-browser", action="store_true", help="open no browser; the address is printed")
    opened.add_argument("--port", type=int, metavar="N", help="the port to use; otherwise the first free one from 8888")
    opened.set_defaults(run=lab)
    commands.add_parser("test", help=test.__doc__).set_defaults(run=test)
    commands.add_parser("chat", help=chat.__doc__, add_help=False).set_defaults(run=chat)
    options, more = parser.parse_known_args(arguments[:cut])
    if more and options.run is not chat:  # the chat knows its own options
        parser.error("unrecognized arguments: %s" % " ".join(more))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # being ended from outside is a Ctrl-C too
    try:
        with redirect_stdout(sys.stderr if options.run is chat else sys.stdout):  # the chat's output is replies only
            prepare()
        return options.run(options, more + arguments[cut + 1:])
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130
    except OSError as error:
        explain("%s: %s" % (type(error).__name__, error), "The start")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
