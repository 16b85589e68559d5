// Keeping the score with one thumb: page.js loads this module on the page of a paired phone, and on
// the page of a pairing link. It lends its functions, and those of taps.js.

const REST = 400;  // ms

// Returns a function to call after each change of `game`, which is described in taps.js.
export function keepScore({ main, address, game, tapsOf, root, send, newKey, again, write, $ }) {
  const marks = new Map(), resting = new Set();
  let row;
  const taps = tapsOf({
    address, game, root, send, newKey, again, changed: draw,
    moves: main.dataset.moves && +main.dataset.moves,
    dropped({ name }) {
      marks.get(name)?.remove();
      marks.delete(name);
    },
  });
  const { add, drop, movesNow } = taps;
  const isClock = tap => tap.event === "pause" || tap.event === "resume";
  const isCorrection = tap => tap?.event.undo || tap?.event.redo;
  const lastMove = () => taps.all().filter(tap => !isClock(tap)).at(-1);

  // MARK: What is shown

  function draw() {
    const last = lastMove(), isFinal = main.dataset.state === "final";
    drawMarks(taps.all());
    write($("#waiting"), [taps.count(), taps.trouble].filter(Boolean).join(": "));
    drawQuestion();
    write($("#picked"), isFinal ? "The game is over: undo to add or correct"
      : row ? nameOf(row) : "Tap a player");
    for (const target of $(".moves").children) turn(target, row && taps.moves >= 0 && !isFinal);
    if (last || game.undoable) {
      write($("#undo bdi"), isCorrection(last) ? "" : last?.text ?? game.undoable.text ?? "");
      write($("#redo bdi"), last ? "" : game.redoable?.text ?? "");
    }
    turn($("#undo"), last ? !isCorrection(last) : game.undoable?.canUndo);
    turn($("#redo"), !last && game.undoable && game.redoable?.canRedo);
    turn($("#pause"), !isFinal);
  }

  // Hollow, then solid, then gone.
  function drawMarks(waiting) {
    const names = new Set(waiting.map(tap => tap.name));
    for (const tap of waiting) {
      if (!marks.has(tap.name)) marks.set(tap.name, slot(tap)?.appendChild(newMark(tap)));
    }
    for (const [name, mark] of marks) {
      if (names.has(name)) continue;
      marks.delete(name);
      mark?.classList.add("done");
      setTimeout(() => mark?.remove(), 1500);
    }
  }

  function drawQuestion() {
    const question = taps.question();
    $("#ask").hidden = !question;
    if (!question) return;
    write($("#ask p"), question.text);
    write($("#ask [value=yes]"), question.yes);
    write($("#ask [value=no]"), question.no);
  }

  function newMark(tap) {
    const mark = document.createElement("span");
    mark.className = "mark";
    mark.textContent = wordOf(tap);
    return mark;
  }

  const wordOf = tap =>
    [...$(".moves").children].find(({ value }) => value === tap.event)?.textContent ?? "";

  const slot = tap => tap.event.undo ? $("#undo") : tap.event.redo ? $("#redo")
    : isClock(tap) ? $("#pause") : $(`tr[data-from="${CSS.escape(tap.to)}"] .who`);

  // A button that is off keeps the focus of a keyboard.
  const turn = (button, isOn) =>
    button.setAttribute("aria-disabled", !isOn || resting.has(button));

  // MARK: What a thumb does

  const nameOf = row => row.querySelector("bdi").textContent;

  // The targets are always at the same place, so nothing moves under the thumb.
  function pick(picked, isByKey) {
    row?.querySelector("button").setAttribute("aria-pressed", false);
    row = picked;
    row.querySelector("button").setAttribute("aria-pressed", true);
    $(".moves").dataset.side = row.closest("table").className;
    draw();
    if (isByKey) $(".moves button").focus();
  }

  const count = button =>
    add(row.dataset.from, button.value, `${button.textContent} of ${nameOf(row)}`, 1);

  function undo() {
    const last = lastMove();
    if (last && !last.isTried) drop(last);
    else add(address, { undo: { moves: movesNow() } }, "Undo", -1);
  }

  const redo = () => add(address, { redo: { moves: movesNow() } }, "Redo", 1);

  function startOrPause() {
    const last = taps.all().filter(isClock).at(-1);
    const stands = last ? last.event === "pause" : main.dataset.state !== "running";
    add(address, stands ? "resume" : "pause", stands ? "Start" : "Pause", 0);
  }

  // The second of two quick taps would do the opposite, or take back one move more.
  function rest(button) {
    resting.add(button);
    draw();
    setTimeout(() => {
      resting.delete(button);
      draw();
    }, REST);
  }

  const actions = { undo, redo, pause: startOrPause };

  main.addEventListener("click", ({ target, detail }) => {
    const button = target.closest("button"), picked = target.closest("tr[data-from]");
    if (picked) return pick(picked, detail === 0);
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (button.closest(".moves")) {
      count(button);
    } else if (actions[button.id]) {
      actions[button.id]();
      rest(button);
    } else {
      taps.answer(button.value === "yes");
    }
  });
  $(".moves").addEventListener("keydown", ({ key }) => {
    if (key === "Escape") row?.querySelector("button").focus();
  });
  setInterval(draw, 5000);  // a tap becomes old
  taps.next();
  return taps.next;
}

// Takes the secret from the link, and gets the cookie for it.
export async function pair({ post, root, write, $ }) {
  addEventListener("hashchange", () => location.reload());  // another link
  try {
    const { answer } = await post("pair", { link: location.hash.slice(1) });
    if (answer.page) return location.replace(new URL("." + answer.page, root));
    write($("[role=status]"), answer.error.message);
  } catch {
    write($("[role=status]"), "There is no answer. Check the network, and load this page again.");
  }
}
