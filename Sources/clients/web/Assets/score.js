// Keeping the score with one thumb: page.js loads this module on the page of a paired phone.
//
// A tap is an entry of localStorage until busd has answered it. Entries are sent in the order of
// their names, one at a time, by the tab that is shown. A second tab sends with the same key.

const RETRY = 500, LONGEST_RETRY = 8000, OLD = 60000;  // ms

// Returns a function that draws what has changed. `page` has what page.js lends: the newest
// payloads of the game's events, and its functions.
export function keepScore({ main, address, game, send, newKey, write, clockTime, $ }) {
  let box;
  try { box = localStorage; } catch { box = {}; }  // forbidden: taps are lost with the page
  const prefix = `tap ${address} `;
  const panel = $("#moves").content.firstElementChild;
  const marks = new Map();
  let isSending, refused, trouble = "", delay = RETRY, timer, opening;

  const taps = () => Object.keys(box).filter(name => name.startsWith(prefix)).sort()
    .map(name => ({ name, ...JSON.parse(box[name]) }));
  const save = ({ name, ...tap }) => box[name] = JSON.stringify(tap);
  const isPause = tap => tap.event === "pause" || tap.event === "resume";
  const isOld = tap => Date.now() - (tap.asked ?? tap.at) > OLD;
  const lastMove = () => taps().filter(tap => !isPause(tap)).at(-1);

  function add(to, event, text, moves) {
    const at = Math.max(Date.now(), (taps().at(-1)?.at ?? 0) + 1), key = newKey();
    trouble = "";
    save({ name: `${prefix}${at} ${key}`, to, event, text, moves, key, at });
    sendNext();
  }

  function drop(tap) {
    delete box[tap.name];
    marks.get(tap.name)?.remove();
    marks.delete(tap.name);
  }

  async function sendNext() {
    const [tap] = taps();
    draw();
    if (isSending || !tap || refused || document.hidden || isOld(tap)) return;
    clearTimeout(timer);
    isSending = true;
    save({ ...tap, isTried: true });
    try {
      const { ok, error } = await send(tap.to, tap.event, tap.key);
      if (["overloaded", "unavailable", "uncertain"].includes(error?.code)) throw error;
      delay = RETRY;
      trouble = ok?.changed === false && !ok.duplicate ? `No effect: ${tap.text}` : "";
      if (error) refused = { ...tap, why: error.message };
      else delete box[tap.name];
      timer = setTimeout(sendNext);
    } catch (error) {
      trouble = error.code ? error.message : "no answer";
      timer = setTimeout(sendNext, delay * (0.5 + Math.random()));
      delay = Math.min(2 * delay, LONGEST_RETRY);
    }
    isSending = false;
    draw();
  }

  function draw() {
    const waiting = taps(), last = lastMove(), names = new Set(waiting.map(tap => tap.name));
    for (const tap of waiting) {
      if (!marks.has(tap.name)) marks.set(tap.name, slot(tap)?.appendChild(newMark()));
    }
    for (const [name, mark] of marks) {
      if (names.has(name)) continue;
      marks.delete(name);
      mark?.classList.add("done");
      setTimeout(() => mark?.remove(), 1500);
    }
    const count = waiting.length === 1 ? "1 tap waits" : `${waiting.length} taps wait`;
    const isAsked = !refused && waiting.length > 0 && isOld(waiting[0]);
    write($("#waiting"), [waiting.length > 0 && count, trouble].filter(Boolean).join(": "));
    $("#ask").hidden = !refused && !isAsked;
    if (refused) ask(`“${refused.text}” was refused: ${refused.why}`, "Try again", "Skip it");
    if (isAsked) {
      const since = clockTime(waiting[0].at).slice(0, 5);
      ask(`${count} since ${since}.`, waiting.length === 1 ? "Send it" : "Send them", "Discard");
    }
    if (last ?? game.undoable) {
      write($("#undo bdi"), last?.event.undo ? "" : last?.text ?? game.undoable.text);
      $("#undo").disabled = last ? !!last.event.undo : !game.undoable.canUndo;
    }
    $("#pause").disabled = main.dataset.state === "final";
  }

  function ask(text, yes, no) {
    write($("#ask p"), text);
    write($("#ask [value=yes]"), yes);
    write($("#ask [value=no]"), no);
  }

  function newMark() {
    const mark = document.createElement("i");
    mark.className = "mark";
    return mark;
  }

  const slot = tap => tap.event.undo ? $("#undo") : isPause(tap) ? $("#pause")
    : $(`tr[data-from="${CSS.escape(tap.to)}"] .who`);

  // The row stays where the finger is. A second tap there is one that was meant for the row.
  function openRow(row, click) {
    if (panel.previousElementSibling === row) return;
    const top = row.getBoundingClientRect().top;
    panel.previousElementSibling?.querySelector("button").setAttribute("aria-expanded", false);
    row.after(panel);
    row.querySelector("button").setAttribute("aria-expanded", true);
    $("[role=group]").ariaLabel = row.querySelector("bdi").textContent;
    scrollBy(0, row.getBoundingClientRect().top - top);
    panel.scrollIntoView({ block: "nearest" });
    opening = click;
  }

  const isSameTap = click => click.detail > 0 && click.timeStamp - opening.timeStamp < 400
    && Math.hypot(click.clientX - opening.clientX, click.clientY - opening.clientY) < 40;

  function count(button, click) {
    const row = panel.previousElementSibling;
    if (isSameTap(click)) return;
    const text = `${button.textContent} of ${row.querySelector("bdi").textContent}`;
    add(row.dataset.from, button.value, text, movesNow() + 1);
  }

  // How many moves the game has after those that wait, so that undo takes back what it says.
  const movesNow = () => lastMove()?.moves ?? game.undoable?.moves;

  function undo() {
    const last = lastMove(), moves = movesNow();
    if (last && !last.isTried) drop(last);
    else if (!last?.event.undo) {
      add(address, { undo: moves >= 0 ? { moves } : {} }, "Undo", moves - 1);
    }
    draw();
  }

  function startOrPause() {
    const last = taps().filter(isPause).at(-1);
    const stands = last ? last.event === "pause" : main.dataset.state !== "running";
    add(address, stands ? "resume" : "pause", stands ? "Start" : "Pause");
  }

  function choose(isYes) {
    const chosen = refused ? [refused] : taps();
    refused = null;
    for (const tap of chosen) if (isYes) save({ ...tap, asked: Date.now() }); else drop(tap);
    sendNext();
  }

  main.addEventListener("click", click => {
    const button = click.target.closest("button"), row = click.target.closest("tr[data-from]");
    if (row) openRow(row, click);
    else if (button?.closest(".moves")) count(button, click);
    else if (button?.id === "undo") undo();
    else if (button?.id === "pause") startOrPause();
    else if (button) choose(button.value === "yes");
  });
  for (const name of ["online", "storage", "pageshow"]) addEventListener(name, sendNext);
  document.addEventListener("visibilitychange", sendNext);
  sendNext();
  return draw;
}
