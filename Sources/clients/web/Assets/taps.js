// The taps of a phone: page.js loads this module on the page that keeps the score, and on each page
// of a phone on which taps wait.

const OLD = 60000, RETRY = 500, LONGEST_RETRY = 8000;  // ms

let box;
try { box = localStorage ?? {}; } catch { box = {}; }  // forbidden: taps are lost with the page
const overflow = {};  // what localStorage has no room for

// The beginning of the names of all taps of this site, and of those for a game.
const prefixOf = (root, address = "") => `tap ${root.pathname.slice(1)}${address}`;

function entries(prefix) {
  const all = { ...box, ...overflow };
  return Object.keys(all).filter(name => name.startsWith(prefix)).sort().flatMap(name => {
    try { return { name, ...JSON.parse(all[name]) }; } catch { return []; }  // not from here
  });
}

// The taps that wait for a game. A tap is an entry of localStorage until busd has answered it.
// Entries are sent in the order of their names, one at a time, by the tab that is shown. A second
// tab sends with the same key.
//
// Nothing is sent before the stream has brought the game's values. A tap that fails asks for a new
// stream with `again`, so the next attempt knows the game again: it may be another one at the same
// address.
//
// `game` has the newest payloads of the game's events, by name; its `isNew` is set, and `undoable`
// missing, while the values of a new stream are awaited. Call `next` after each change. `moves` is
// how many moves the game has, if that is known. `changed` is called after each change of the taps,
// and `dropped` with a tap that has no effect.
export function tapsOf({ address, game, moves, root, send, newKey, again, changed, dropped }) {
  const prefix = `${prefixOf(root, address)} `;
  let isSending, refused, reason, isOther, trouble = "", delay = RETRY;

  const all = () => entries(prefix);
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
  const isOld = tap => Date.now() - (tap.asked ?? tap.at) > OLD;
  // How many moves the game has after those that wait, so that undo takes back what it says.
  const movesNow = () => all().at(-1)?.moves ?? moves;

  // A tap keeps how many moves the game has before it (`seen`) and after it (`moves`).
  function add(to, event, text, change) {
    const at = Math.max(Date.now(), (all().at(-1)?.at ?? 0) + 1), key = newKey();
    const seen = movesNow();
    trouble = "";
    save({ name: `${prefix}${at} ${key}`, to, event, text, seen, moves: seen + change, key, at });
    next();
  }

  // It has no effect on the game, so those behind it see another number of moves.
  function drop(tap) {
    forget(tap);
    dropped?.(tap);
    const change = tap.moves - tap.seen;
    for (const later of all()) {
      if (change && later.name > tap.name && later.seen > 0) {
        save({ ...later, seen: later.seen - change, moves: later.moves - change });
      }
    }
  }

  async function next() {
    const [tap] = all();
    if (game.undoable) {
      moves = game.undoable.moves;
      if (game.isNew) isOther = tap && moves < Math.min(tap.seen, tap.moves);
      game.isNew = false;
    }
    // Another tab may have answered.
    if (!tap?.seen) isOther = false;
    if (refused && !all().some(({ name }) => name === refused.name)) refused = null;
    changed();
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
    next();
  }

  // What keeps the taps from being sent until somebody answers; nothing: nothing does.
  function question() {
    const [first] = all();
    if (first && game.isGone) {
      return { text: `${count()}, and the game is not there.`, yes: "Try again", no: "Discard" };
    }
    if (refused) {
      return { text: `“${refused.text}” was refused: ${reason}`, yes: "Try again", no: "Skip it" };
    }
    if (!first || !isOther && !isOld(first)) return null;
    const since = new Date(first.at).toTimeString().slice(0, 5);
    const why = isOther ? " This game has fewer moves than when you tapped." : "";
    return { text: `${count()} since ${since}.${why}`, yes: "Send", no: "Discard" };
  }

  function answer(isYes) {
    const chosen = refused ? [refused] : all(), change = isOther ? { seen: 0 } : {};
    refused = null;
    isOther = false;
    trouble = "";
    for (const tap of chosen) {
      if (isYes) save({ ...tap, ...change, asked: Date.now() }); else drop(tap);
    }
    next();
  }

  // `2 taps wait`; empty if none does.
  function count() {
    const { length } = all();
    return length > 1 ? `${length} taps wait` : length ? "1 tap waits" : "";
  }

  for (const name of ["online", "storage", "pageshow"]) addEventListener(name, next);
  document.addEventListener("visibilitychange", next);
  return {
    all, add, drop, next, question, answer, count, movesNow,
    get moves() { return moves; },
    get trouble() { return trouble; },
  };
}

// Sends the taps that wait for games other than that of the page (`own`), and shows a line for each
// game at the end of the page.
export function sendElsewhere({ own, root, watch, send, newKey }) {
  const prefix = prefixOf(root);
  const games = new Map();

  function look() {
    for (const { name } of entries(prefix)) {
      const [address] = /^scoreboard\/[^/ ]+(?= )/.exec(name.slice(prefix.length)) ?? [];
      // A browser opens six connections.
      if (address && address !== own && !games.has(address) && games.size < 3) follow(address);
    }
  }

  function follow(address) {
    const game = { isNew: true }, line = newLine(address);
    const taps = tapsOf({
      address, game, root, send, newKey, again: wait => stream.again(wait), changed: draw,
    });
    const stream = watch(address, {
      update(events) {
        game.isGone = false;
        for (const { from, name, payload } of events) if (from === address) game[name] = payload;
        taps.next();
      },
      gone() {
        game.isGone = true;
        draw();
      },
      lost() {
        game.isNew = true;
        delete game.undoable;
      },
    });
    games.set(address, stream);  // until no tap waits
    line.onclick = ({ target }) => { if (target.value) taps.answer(target.value === "yes"); };
    draw();

    function draw() {
      const question = taps.question();
      line.show(question?.text ?? [taps.count(), taps.trouble].filter(Boolean).join(": "), question);
      if (taps.count() || games.get(address) !== stream) return;
      games.delete(address);
      stream.close();
      if (!taps.trouble) line.remove();
    }
  }

  function newLine(address) {
    const line = document.createElement("p"), words = document.createElement("span");
    const link = document.createElement("a");
    line.className = "elsewhere";
    words.role = "status";
    link.href = new URL(address, root);
    link.textContent = `Game ${address.split("/")[1]}`;
    const buttons = ["yes", "no"].map(
      value => Object.assign(document.createElement("button"), { value }));
    line.append(link, words, ...buttons);
    line.show = (text, question) => {
      if (words.textContent !== text) words.textContent = text;
      for (const button of buttons) {
        button.textContent = question?.[button.value] ?? "";
        button.hidden = !question;
      }
    };
    return document.querySelector("main").appendChild(line);
  }

  addEventListener("storage", look);
  setInterval(look, 5000);
  look();
}
