"""Helpers that would distract from the lessons: the keyless model, the scoreboard, figures, the picker, the checks."""
