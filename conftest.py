"""pytest --nbval runs each code cell twice in a row: both times the outputs must be the stored ones."""

import pytest
from nbval.plugin import IPyNbCell, NbCellError

ONCE = {"rerun-changes", "nbval-ignore-output"}  # the tags of cells that may print something else


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    yield
    if isinstance(item, IPyNbCell) and not ONCE & set(item.cell.metadata.get("tags", [])):
        try:
            item.runtest()
        except NbCellError as error:
            error.args = (f"Run a second time: {error}",)
            raise
