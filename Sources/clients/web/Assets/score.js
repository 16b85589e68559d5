// Keeping the score with one thumb: page.js loads this module on the page of a paired phone, and on
// the page of a pairing link. It lends its functions.

const OLD = 60000, REST = 400, RETRY = 500, LONGEST_RETRY = 8000;  // ms

// A tap is an entry of localStorage until busd has answered it. Entries are sent in the order of
// their names, one at a time, by the tab that is shown. A second tab sends with the same key.
//
// Nothing is sent before the stream has brought the game's values. A tap that fails asks for a new
// stream, so the next attempt knows the game again: it may be another one at the same address.
//
// Returns a function to call after each change. `game` has the newest payloads of its events, by
// name; its `isNew` is set, and `undoable` missing, while the values of a new stream are awaited.
export function keepScore({ main, address, game, send, newKey, again, write, clockTime, $ }) {
  let box;
  try { box = localStorage ?? {}; } catch { box = {}; }  // forbidden: taps are lost with the page
  const overflow = {};  // what localStorage has no room for
  const prefix = `tap ${address} `;
  const marks = new Map(), resting = new Set();
  let isSending, refused, reason, isOther, row, trouble = "", delay = RETRY, moves;

  function taps() {
    const all = { ...box, ...overflow };
    return Object.keys(all).filter(name => name.startsWith(prefix)).sort().flatMap(name => {
      try { return { name, ...JSON.parse(all[name]) }; } catch { return []; }  // not from here
    });
  }
  function save({ name, ...tap }) {
    const text = JSON.stringify(tap);
    try {
      box[name] = text;
      delete overflow[name];
    } catch {
      overflow[name] = text;
    }
  }
  function forget({ name }) {
    delete box[name];
    delete overflow[name];
  }
  const isClock = tap => tap.event === "pause" || tap.event === "resume";
  const isCorrection = tap => tap?.event.undo || tap?.event.redo;
  const isOld = tap => Date.now() - (tap.asked ?? tap.at) > OLD;
  const lastMove = () => taps().filter(tap => !isClock(tap)).at(-1);
  // How many moves the game has after those that wait, so that undo takes back what it says.
  const movesNow = () => taps().at(-1)?.moves ?? moves;

  // A tap keeps how many moves the game has before it (`seen`) and after it (`moves`).
  function add(to, event, text, change) {
    const at = Math.max(Date.now(), (taps().at(-1)?.at ?? 0) + 1), key = newKey();
    const seen = movesNow();
    trouble = "";
    save({ name: `${prefix}${at} ${key}`, to, event, text, seen, moves: seen + change, key, at });
    sendNext();
  }

  // It has no effect on the game, so those behind it see another number of moves.
  function drop(tap) {
    forget(tap);
    marks.get(tap.name)?.remove();
    marks.delete(tap.name);
    const change = tap.moves - tap.seen;
    for (const later of taps()) {
      if (change && later.name > tap.name && later.seen > 0) {
        save({ ...later, seen: later.seen - change, moves: later.moves - change });
      }
    }
  }

  async function sendNext() {
    const [tap] = taps();
    if (game.undoable) {
      moves = game.undoable.moves;
      if (game.isNew) isOther = tap && moves < Math.min(tap.seen, tap.moves);
      game.isNew = false;
    }
    // Another tab may have answered.
    if (!tap?.seen) isOther = false;
    if (refused && !taps().some(({ name }) => name === refused.name)) refused = null;
    draw();
    if (isSending || !tap || refused || document.hidden || !game.undoable || isOther || isOld(tap)) {
      return;
    }
    isSending = true;
    save({ ...tap, isTried: true });
    try {
      const { ok, error } = await send(tap.to, tap.event, tap.key);
      delay = RETRY;
      trouble = "";
      if (error?.code === "stale" || ok?.changed === false && !ok.duplicate) {
        trouble = `No effect: ${tap.text}`;
        drop(tap);
      } else if (error) {
        refused = { ...tap, isTried: true };
        reason = error.message;
      } else {
        forget(tap);
      }
    } catch (error) {
      trouble = typeof error.code === "string" ? error.message : "no answer";
      again(delay);
      delay = Math.min(2 * delay, LONGEST_RETRY);
    }
    isSending = false;
    sendNext();
  }

  // MARK: What is shown

  function draw() {
    const waiting = taps(), last = lastMove(), isFinal = main.dataset.state === "final";
    drawMarks(waiting);
    const count = waiting.length === 1 ? "1 tap waits" : `${waiting.length} taps wait`;
    write($("#waiting"), [waiting.length > 0 && count, trouble].filter(Boolean).join(": "));
    drawQuestion(waiting[0], count);
    write($("#picked"), isFinal ? "The game is over: undo to add or correct"
      : row ? nameOf(row) : "Tap a player");
    for (const target of $(".moves").children) turn(target, row && moves >= 0 && !isFinal);
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

  function drawQuestion(first, count) {
    const isAsked = first && !refused && (isOther || isOld(first));
    $("#ask").hidden = !refused && !isAsked;
    if (refused) {
      ask(`“${refused.text}” was refused: ${reason}`, "Try again", "Skip it");
    } else if (isAsked) {
      const since = clockTime(first.at).slice(0, 5);
      const why = isOther ? " This game has fewer moves than when you tapped." : "";
      ask(`${count} since ${since}.${why}`, "Send", "Discard");
    }
  }

  function ask(text, yes, no) {
    write($("#ask p"), text);
    write($("#ask [value=yes]"), yes);
    write($("#ask [value=no]"), no);
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
    const last = taps().filter(isClock).at(-1);
    const stands = last ? last.event === "pause" : main.dataset.state !== "running";
    add(address, stands ? "resume" : "pause", stands ? "Start" : "Pause", 0);
  }

  function choose(isYes) {
    const chosen = refused ? [refused] : taps(), change = isOther ? { seen: 0 } : {};
    refused = null;
    isOther = false;
    trouble = "";
    for (const tap of chosen) {
      if (isYes) save({ ...tap, ...change, asked: Date.now() }); else drop(tap);
    }
    sendNext();
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
      choose(button.value === "yes");
    }
  });
  $(".moves").addEventListener("keydown", ({ key }) => {
    if (key === "Escape") row?.querySelector("button").focus();
  });
  for (const name of ["online", "storage", "pageshow"]) addEventListener(name, sendNext);
  document.addEventListener("visibilitychange", sendNext);
  setInterval(draw, 5000);  // a tap becomes old
  sendNext();
  return sendNext;
}

// Takes the secret from the link, and gets the cookie for it.
export async function pair({ post, write, $ }) {
  addEventListener("hashchange", () => location.reload());  // another link
  try {
    const { answer } = await post("/pair", { link: location.hash.slice(1) });
    if (answer.page) return location.replace(answer.page);
    write($("[role=status]"), answer.error.message);
  } catch {
    write($("[role=status]"), "There is no answer. Check the network, and load this page again.");
  }
}
