"""Start here: a reducer that keeps the newest three items."""

from course_lib.exercises import Case, Exercise

EXERCISES = {
    "warm_up": Exercise(
        cases=[
            Case(args=([1, 2], [3]), expected=[1, 2, 3], keeps_input=True),
            Case(args=(["a", "b", "c"], ["d"]), expected=["b", "c", "d"], keeps_input=True),
            Case(args=([], []), expected=[]),
            Case(args=([], [1, 2, 3, 4, 5]), expected=[3, 4, 5]),
            Case(args=([9, 7, 8], []), expected=[9, 7, 8]),
            Case(args=([5, 1], [4, 2]), expected=[1, 4, 2]),
        ],
        hint=(
            "Join the lists with `+`, then take a slice that begins three from the end: `[-3:]`.",
            "`+` se dono list jodo, phir aisi slice lo jo end se teen pehle shuru ho: `[-3:]`.",
        ),
    ),
}
