"""A widget for notebooks in which a person answers the questions of a session.

Needs anywidget: ``pip install fewest[notebook]``. ``session.widget()`` makes one.
"""

from __future__ import annotations

import typing

import anywidget
import traitlets

from fewest.exceptions import FewestError

if typing.TYPE_CHECKING:
    from fewest._session import Session

MOST = 8
"""Candidates that are listed."""

SCRIPT = """
function element(tag, text, parent, name) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  parent.append(made);
  return made;
}
function render({ model, el }) {
  const say = (action, value) => model.send({ action, value });
  function draw() {
    const focused = el.contains(document.activeElement);
    el.replaceChildren();
    const box = element("div", "", el, "fewest-session");
    const state = model.get("state");
    const status = element("p", state.question ?? state.result, box, "question");
    status.setAttribute("role", "status");
    const row = element("div", "", box);
    for (const answer of state.answers) {
      const button = element("button", answer, row);
      button.addEventListener("click", () => say("answer", answer));
      if (focused && button === row.firstChild) button.focus();
    }
    if (state.question) element("button", "I don’t know", row).addEventListener("click", () => say("unknown", null));
    if (state.given.length) element("button", "Undo", row).addEventListener("click", () => say("undo", null));
    if (state.problem) element("p", state.problem, box, "problem").setAttribute("role", "alert");
    const list = element("ul", "", box);
    for (const line of state.candidates) element("li", line, list);
    if (state.given.length) element("p", state.given.join(", "), box, "given");
  }
  model.on("change:state", draw);
  draw();
  return () => model.off("change:state", draw);
}
export default { render };
"""

STYLE = """
.fewest-session { font: inherit; color: inherit; max-width: 40em }
.fewest-session .question { font-size: 1.15em; font-weight: 600; margin: .3em 0 }
.fewest-session button { font: inherit; color: inherit; background: transparent; cursor: pointer;
  border: 1px solid currentColor; border-radius: .4em; margin: .2em .4em .2em 0; padding: .3em .9em }
.fewest-session button:hover, .fewest-session button:focus-visible {
  outline: 2px solid currentColor; outline-offset: 1px }
.fewest-session ul { margin: .6em 0; padding-left: 1.2em }
.fewest-session .given { opacity: .8; font-size: .9em }
"""


class SessionWidget(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """Buttons for the answers, the likeliest candidates, and a way back.

    The session goes on in Python as well: what is answered in the widget is in ``widget.session``, and after an answer
    in Python ``widget.refresh()`` shows it.
    """

    _esm = SCRIPT
    _css = STYLE
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.refresh()
        self.on_msg(self._take)

    def refresh(self, problem: str = "") -> None:
        """Show the session as it is."""
        session = self.session
        question = session.question
        shares = session.candidates
        listed = [f"{' or '.join(one.objects)} – {one.probability:.0%}" for one in shares[:MOST]]
        if len(shares) > MOST:
            listed.append(f"… and {len(shares) - MOST} more")
        self.state = {
            "question": None if question is None else question.text,
            "answers": [] if question is None else list(question.answers),
            "result": "" if question is not None else _ending(session),
            "candidates": listed,
            "given": [f"{given.test}: {' or '.join(given.answers) or 'not known'}" for given in session.answers],
            "problem": problem,
        }

    def _take(self, _widget: object, content: object, _buffers: object = None) -> None:
        """A click on a button."""
        message = content if isinstance(content, dict) else {}
        try:
            if message.get("action") == "answer":
                self.session.answer(str(message.get("value")))
            elif message.get("action") == "unknown":
                self.session.unknown()
            elif message.get("action") == "undo":
                self.session.undo()
        except (FewestError, IndexError) as error:
            self.refresh(str(error))
        else:
            self.refresh()


def _ending(session: Session) -> str:
    if session.result is None:
        return "No object fits these answers."
    return f"It is {session.result}." if session.reason == "identified" else f"Most likely: {session.result}."
