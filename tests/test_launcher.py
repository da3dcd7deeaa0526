"""course.py: what it decides, what it says, and that it ends what it started.

Most tests run a copy of course.py in a folder of its own, where small stand-ins for venv, pip, JupyterLab, ruff and
pytest write down how they were called (`python -m NAME` finds a module of the current folder first).
"""

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES = [Requirement(d) for d in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]]
drives = pytest.mark.skipif(os.name == "nt", reason="the stand-in for .venv is made of links and signals")

LOG = """
import json, os, sys, time
def log(*what):
    with open("calls.txt", "a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\\n")
"""
STAND_INS = {
    "fake.py": LOG,
    "venv.py": """
import os, shutil, sys
from pathlib import Path
from fake import log
log("venv", *sys.argv[1:-1])
folder = Path(sys.argv[-1])
shutil.rmtree(folder, ignore_errors=True)
(folder / "bin").mkdir(parents=True)
(folder / "bin" / "python").symlink_to(sys.executable)
""",
    "pip.py": """
import os, sys, time
from fake import log
log("pip", *sys.argv[1:])
print("Collecting one\\nCollecting two\\nInstalling collected packages: one, two", flush=True)
if os.environ.get("FAKE_PIP") == "hang":
    time.sleep(60)
if os.environ.get("FAKE_PIP") == "fail":
    sys.exit("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device")
""",
    "jupyterlab/__init__.py": "",
    "jupyterlab/labapp.py": "",
    "jupyterlab/__main__.py": """
import os, signal, sys, time
from fake import log
def end(number, frame):
    log("ended")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
log("lab", sys.argv[1:], dict(os.environ))
time.sleep(60 if os.environ.get("FAKE_LAB") else 0)
""",
    "ruff.py": "import sys; from fake import log; log('ruff', *sys.argv[1:])",
    "pytest.py": "import os, sys; from fake import log; log('pytest', sys.argv[1:], dict(os.environ)); sys.exit(3)",
    "course_lib.py": "", "langgraph/graph.py": "", "matplotlib/pyplot.py": "",
}


@pytest.fixture
def folder(tmp_path):
    """A copy of the launcher among stand-ins, in a path with spaces and letters that are not ASCII."""
    folder = tmp_path / "कॉफ़ी के साथ course"
    for name, text in STAND_INS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("course.py", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def course(folder):
    """The copy of course.py as a module."""
    spec = importlib.util.spec_from_file_location("course_under_test", folder / "course.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler = signal.getsignal(signal.SIGTERM)
    yield module
    signal.signal(signal.SIGTERM, handler)


def start(folder, *arguments, **variables):
    return subprocess.Popen([sys.executable, str(folder / "course.py"), *arguments], cwd=folder.parent, text=True,
                            encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables})


def drive(folder, *arguments, **variables):
    """Run the copy to its end: (exit code, what it printed, [what it called since the last time])."""
    process = start(folder, *arguments, **variables)
    printed = process.communicate(timeout=60)[0]
    assert "Traceback" not in printed
    return process.returncode, printed, calls(folder)


def calls(folder):
    log = folder / "calls.txt"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return [json.loads(line) for line in lines]


def wait_for(folder, name):
    """Until the stand-in `name` has been called."""
    for _ in range(300):
        if (folder / "calls.txt").exists() and f'["{name}"' in (folder / "calls.txt").read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    pytest.fail(f"{name} was not called")


def names(called):
    return [call[0] for call in called]


# --- what it is written in, and for whom


def test_an_old_python_can_read_it_and_it_needs_no_package():
    tree = ast.parse((ROOT / "course.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {getattr(node, "module", None) or node.names[0].name for node in imported}
    assert {module.split(".")[0] for module in modules} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 14, 0), (4, 0, 0)])
def test_another_python_gets_a_sentence(course, version):
    with pytest.raises(SystemExit, match=rf"3\.11, 3\.12 or 3\.13; this is Python {version[0]}\.{version[1]}\."):
        course.check_python(version)


def test_the_same_pythons_everywhere(course):
    for version in course.VERSIONS:
        course.check_python((*version, 1))
    versions = Requirement("x" + PROJECT["requires-python"]).specifier
    assert [minor for minor in range(30) if f"3.{minor}.1" in versions] == [minor for _, minor in course.VERSIONS]


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_gets_a_sentence(course, monkeypatch, missing):
    monkeypatch.setattr(course.importlib.util, "find_spec", lambda name: None if name == missing else object())
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        course.check_python((3, 12, 0))


# --- reasons: the texts on the left are what pip and venv printed when it was tried


@pytest.mark.parametrize("printed, sentence", [
    ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", "disk is full"),
    ("OSError: [Errno 122] Disk quota exceeded: '/home/a/.venv'", "disk is full"),
    ("OSError: [WinError 112] There is not enough space on the disk", "disk is full"),
    ("Error: [Errno 13] Permission denied: '/srv/course/.venv'", "cannot be written to"),
    ("Error: [Errno 30] Read-only file system: '/mnt/course/.venv'", "cannot be written to"),
    (r"PermissionError: [WinError 32] The process cannot access the file: 'C:\course\.venv\Scripts\python.exe'",
     "cannot be written to"),
    ("ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: 'C:\\…'\nHINT: This "
     "error might have occurred since this system does not have Windows Long Path support.", "too long for Windows"),
    ("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3."
     "connection.HTTPSConnection object>: Failed to establish a new connection: [Errno 13] Permission denied')'\n"
     "ERROR: Could not find a version that satisfies the requirement aiosqlite==0.22.1 (from versions: none)\n"
     "ERROR: No matching distribution found for aiosqlite==0.22.1", "cannot be fetched"),
    ("pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(…): Read timed out.", "cannot be fetched"),
    ("Looking in links: /media/wheels\nERROR: No matching distribution found for numpy==2.4.6; python_version < '3.12'",
     "pip finds no numpy==2.4.6 for Python"),
])
def test_reasons(course, printed, sentence):
    with pytest.raises(SystemExit) as stopped:
        course.explain(printed, "Fetching packages")
    assert sentence in str(stopped.value) and len(str(stopped.value).splitlines()) == 2  # an empty line before it


def test_an_unknown_reason_shows_the_last_lines(course):
    printed = "".join(f"line {n}\n" for n in range(19)) + "ERROR: not a zip file\n"
    with pytest.raises(SystemExit, match="(?s)Fetching packages failed.*line 17\nline 18\nERROR: not a zip file"):
        course.explain(printed, "Fetching packages")


def test_a_full_disk_is_found_even_where_venv_hides_it(course, monkeypatch):
    printed = "Error: Command '['.venv/bin/python3', '-m', 'ensurepip']' returned non-zero exit status 1."
    monkeypatch.setattr(course.shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(SystemExit, match="The disk is full."):
        course.explain(printed, "Making a virtual environment")


# --- installing, once


@drives
def test_installs_once_and_again_only_when_needed(folder):
    whole = ["venv", "pip", "pip"]
    code, printed, called = drive(folder, "lab", "--no-browser")
    assert (code, names(called)) == (0, whole + ["lab"])
    assert "happens once" in printed and "2 packages" in printed
    assert called[0][1] == "--clear" and called[1][-2:] == ["-r", "requirements.txt"] and called[2][-2:] == ["-e", "."]

    begun = time.monotonic()
    code, printed, called = drive(folder, "lab", "--no-browser")
    assert (code, names(called)) == (0, ["lab"]) and "happens once" not in printed
    assert time.monotonic() - begun < 3

    with (folder / "requirements.txt").open("a", encoding="utf-8") as file:
        file.write("# newer\n")
    mine = folder / ".venv" / "added by the learner"
    mine.touch()
    assert names(drive(folder, "lab", "--no-browser")[2]) == ["pip", "pip", "lab"]
    assert mine.exists()

    stamp = folder / ".venv" / "installed.txt"
    done = stamp.read_text(encoding="utf-8")
    for other in (done.replace("Python 3.", "Python 2."), done.replace("course", "an older place")):
        stamp.write_text(other, encoding="utf-8")
        assert names(drive(folder, "lab", "--no-browser")[2]) == whole + ["lab"]
    assert not mine.exists() and stamp.read_text(encoding="utf-8") == done

    (folder / ".venv" / "bin" / "python").unlink()  # the Python it was made with has been removed
    assert names(drive(folder, "lab", "--no-browser")[2]) == whole + ["lab"]


@drives
def test_an_interrupted_installation_begins_anew(folder):
    process = start(folder, "lab", FAKE_PIP="hang")
    wait_for(folder, "pip")
    process.send_signal(signal.SIGINT)
    printed = process.communicate(timeout=20)[0]
    assert process.returncode == 130 and "Stopped." in printed and "Traceback" not in printed

    calls(folder)
    process = start(folder, "lab", FAKE_PIP="hang")
    wait_for(folder, "pip")
    process.kill()  # the power goes off
    process.communicate(timeout=20)
    assert names(calls(folder)) == ["venv", "pip"]
    assert names(drive(folder, "lab", "--no-browser")[2]) == ["venv", "pip", "pip", "lab"]


@drives
def test_a_failed_installation_says_why_and_begins_anew(folder):
    code, printed, called = drive(folder, "lab", FAKE_PIP="fail")
    assert (code, names(called)) == (1, ["venv", "pip"]) and "The disk is full." in printed
    assert names(drive(folder, "lab", "--no-browser")[2]) == ["venv", "pip", "pip", "lab"]


@drives
def test_an_installation_that_does_not_work_is_not_called_done(folder):
    (folder / "langgraph" / "graph.py").write_text("raise SystemExit('broken wheel')", encoding="utf-8")
    code, printed, _ = drive(folder, "lab")
    assert code == 1 and "Trying it out failed" in printed and "broken wheel" in printed
    assert not (folder / ".venv" / "installed.txt").exists()


@pytest.mark.parametrize("number, sentence", [(30, "cannot be written to"), (13, "cannot be written to"),
                                              (28, "disk is full")])
def test_an_error_of_the_system_is_no_traceback(course, monkeypatch, number, sentence):
    def fail(*arguments, **options):
        raise OSError(number, os.strerror(number), "somewhere")

    monkeypatch.setattr(course.subprocess, "Popen", fail)
    with pytest.raises(SystemExit, match=sentence):
        course.main(["lab"])


@drives
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write to a read-only folder")
def test_a_read_only_folder_gets_a_sentence(folder):
    (folder / "calls.txt").touch()
    (folder / "venv.py").unlink()  # Python's own
    folder.chmod(0o555)
    try:
        code, printed, _ = drive(folder, "lab")
    finally:
        folder.chmod(0o755)
    assert code == 1 and f"The folder {folder} cannot be written to." in printed


# --- starting JupyterLab and the tests


@pytest.fixture
def taken():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


@drives
def test_a_taken_port_gets_a_sentence(folder, taken):
    drive(folder, "lab")
    code, printed, called = drive(folder, "lab", "--port", str(taken))
    assert (code, called) == (1, []) and f"Port {taken} is taken" in printed


def test_ports_that_cannot_be(course):
    assert not course.is_free(70000) and not course.is_free(-1)


def test_the_next_port_when_nobody_chose_one(course, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(course, "is_free", lambda port: port >= 8890)
    monkeypatch.setattr(course.subprocess, "Popen", lambda command, **_: started.append(command) or FinishedProcess())
    monkeypatch.setattr(course, "prepare", lambda: None)
    assert course.main(["lab"]) == 0
    assert "--ServerApp.port=8890" in started[0]
    assert "Port 8888 is taken, so this is port 8890." in capsys.readouterr().out


class FinishedProcess:
    returncode = 0

    def wait(self):
        return 0

    def kill(self):
        pass


@drives
def test_lab_keeps_the_learners_settings_out_and_hands_on_arguments(folder):
    theirs = {name: "theirs" for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_PATH", "JUPYTERLAB_SETTINGS_DIR", "IPYTHONDIR",
                                          "MPLBACKEND", "MATPLOTLIBRC", "PYTHONSTARTUP", "PYTHONDONTWRITEBYTECODE")}
    called = drive(folder, "lab", "--no-browser", "--port", "18123", "--", "--debug", "--", "x",
                   **theirs, PIP_FIND_LINKS="wheels", COURSE_MODEL="some:model")[2]
    arguments, variables = called[-1][1:]
    assert arguments[-4:] == ["--no-browser", "--debug", "--", "x"] and "--ServerApp.port=18123" in arguments
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in arguments
    assert "theirs" not in variables.values()
    assert Path(variables["JUPYTER_CONFIG_DIR"]).is_relative_to(folder / ".venv")
    assert (variables["PIP_FIND_LINKS"], variables["COURSE_MODEL"]) == ("wheels", "some:model")
    overrides = json.loads((folder / ".venv/share/jupyter/lab/settings/overrides.json").read_text(encoding="utf-8"))
    assert overrides["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


@drives
def test_test_runs_the_linter_and_pytest_and_hands_on_arguments(folder):
    drive(folder, "lab")
    code, _, called = drive(folder, "test", "--", "-k", "buffer", COURSE_MODEL="some:model", LANGSMITH_TRACING="true",
                            JUPYTER_PATH="theirs")
    assert code == 3 and called[0] == ["ruff", "check"]
    name, arguments, variables = called[1]
    assert name == "pytest" and "--nbval" in arguments and arguments[-2:] == ["-k", "buffer"]
    assert not {"COURSE_MODEL", "LANGSMITH_TRACING", "JUPYTER_PATH"} & set(variables)


@drives
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_jupyterlab(folder, number):
    process = start(folder, "lab", "--no-browser", FAKE_LAB="stay")
    wait_for(folder, "lab")
    process.send_signal(number)
    printed = process.communicate(timeout=20)[0]
    assert process.returncode == 0 and "Traceback" not in printed
    assert names(calls(folder))[-1] == "ended"


@drives
def test_chat_takes_the_place_of_the_launcher_and_prints_nothing_of_its_own(course, monkeypatch, capsys):
    def execve(program, command, variables):
        assert program == command[0] == str(course.PYTHON)
        raise SystemExit(" ".join(command[1:]))

    monkeypatch.setattr(course, "prepare", lambda: print("installing"))
    monkeypatch.setattr(course.os, "execve", execve)
    with pytest.raises(SystemExit, match="^-P -m course_lib --user Asha --help$"):
        course.main(["chat", "--user", "Asha", "--help"])
    assert capsys.readouterr() == ("", "installing\n")
    with pytest.raises(SystemExit):
        course.main(["lab", "--user", "Asha"])
    assert "unrecognized arguments: --user Asha" in capsys.readouterr().err


def test_without_a_command_it_says_which_there_are(course, capsys):
    with pytest.raises(SystemExit) as stopped:
        course.main([])
    assert stopped.value.code == 2 and "lab | test | chat" in capsys.readouterr().err


# --- the lists of packages agree


def test_conda_gets_the_same_packages():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    pip = next(entry["pip"] for entry in listed if isinstance(entry, dict))
    assert [Requirement(line) for line in pip[:-1]] == DEPENDENCIES and pip[-1] == "-e ."
    assert "python" + PROJECT["requires-python"] in listed


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_exact_versions_fit_what_the_package_asks_for(python, system):
    here = {**default_environment(), "python_version": python, "python_full_version": python + ".9",
            "sys_platform": system, "os_name": "nt" if system == "win32" else "posix"}
    lines = [Requirement(line) for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()]
    pinned = [line for line in lines if line.marker is None or line.marker.evaluate(here)]
    versions = {line.name: str(line.specifier) for line in pinned}
    assert len(versions) == len(pinned), "a package has two versions"
    assert all(re.fullmatch(r"==[\w.]+", version) for version in versions.values())
    for asked in DEPENDENCIES:
        assert asked.specifier.contains(versions[asked.name].removeprefix("=="), prereleases=True), asked


def test_exact_versions_name_no_address():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|^-|^\s*#| @ ", text, re.MULTILINE)
