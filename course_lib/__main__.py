"""The chat program: `python -m course_lib`. Ctrl-C ends it politely even while its libraries are loading."""

import sys

try:
    from course_lib import chat

    code = chat.main()
except KeyboardInterrupt:
    code = 130  # as a shell counts it
sys.exit(code)
