// The script of busd-web, for its own pages and for yours:
//
//     import { watch, send } from "/page.js";
//
// How a value finds its place: an element with data-value="score.home" shows the field `home` of
// the event `score`. The nearest data-from names the view model.

// The first page of the site, which may be below a path of a proxy.
const root = new URL(/\/assets\/page-[^/]*$/.test(import.meta.url) ? ".." : ".", import.meta.url);
const RETRY = 500, LONGEST_RETRY = 8000, SILENCE = 30000, LATE = 2000;  // ms

// Watches a view model while the page is shown. Calls, if they exist:
// - handler.update(events): a list of {from, name, payload} that belong together: first all present
//   values, then each change. Edits of a list are applied: the event with the whole list comes.
// - handler.live(since): whenever it changes. null: the page is live; else the Date of the last
//   sign of life.
// - handler.gone(address): the view model has ended. An update follows if it comes back.
// - handler.late(opened): called often. Returns since when values are overdue, in ms; else 0.
// - handler.lost(): the stream has ended. All present values follow with a new one.
// Returns {close, again}: the end of it, and again(ms): opens a new stream in about that time.
export function watch(address, handler, path) {
  path ||= (/^scoreboard\/[^/]+$/.test(address) ? "/" : "/view/") + address;
  let source, timer, parts, values, edited, delay = RETRY, isLive = true;
  let heard = Date.now(), opened = 0, lost = 0;  // `lost`: when the stream went down; 0: it is up

  function open() {
    close();
    if (document.hidden) return;
    opened = Date.now();
    lost ||= opened;
    parts = new Map();
    values = new Map();
    edited = new Map();
    source = new EventSource(new URL("stream" + path, root));
    source.onerror = () => again();
    source.onmessage = ({ data }) => {
      heard = Date.now();
      try { read(JSON.parse(data)); } catch (error) { console.warn(error); }
    };
  }

  function close() {
    clearTimeout(timer);
    if (source) handler.lost?.();
    source?.close();
    source = null;
  }

  function again(wait = 0) {
    close();
    lost ||= Date.now();
    timer = setTimeout(open, Math.max(wait, delay) * (0.5 + Math.random()));
    delay = Math.min(2 * delay, LONGEST_RETRY);
  }

  function read(line) {
    if (line.gone === address || line.error?.code === "unknownViewModel") {
      handler.gone?.(address);
      // The subscription has ended too: only a new stream sees it come back.
      delay = LONGEST_RETRY;
      return again();
    } else if (line.bye || line.error) {
      return again();
    } else if (line.gap) {
      parts.delete(line.gap);
      lost ||= Date.now();
      return;
    } else if (line.event) {
      const events = parts.get(line.from) ?? [];
      for (const [name, payload] of Object.entries(line.event)) {
        events.push(whole(line.from, name, Object(payload)));
      }
      parts.set(line.from, events);
      if (line.more) return;  // never half of a change
      parts.delete(line.from);
      handler.update?.(events);
    } else if (!line.live) {
      // The answer to `describe`: which lists the events edit.
      for (const { name, edits } of line.ok?.viewModelEvents ?? []) {
        if (edits) edited.set(name, edits);
      }
      return;
    }
    lost = 0;
    delay = RETRY;
    check();
  }

  function whole(from, event, payload) {
    const name = edited.get(event) ?? event, key = from + " " + name;
    if (name !== event) payload = edit(values.get(key), payload);
    values.set(key, payload);
    return { from, name, payload };
  }

  function check() {
    const now = Date.now();
    if (document.hidden) return;
    if (source && now - Math.max(heard, opened) > SILENCE) again();
    if (lost && now - lost < LATE) return;
    const since = lost ? heard : handler.late?.(opened) || 0;
    if (!since === isLive) return;
    isLive = !since;
    handler.live?.(since ? new Date(since) : null);
  }

  // A hidden page has no stream: a browser may end it silently, and opens six at most.
  const shown = () => {
    delay = RETRY;
    if (!source) open();
  };
  const hidden = () => {
    close();
    lost = 0;
  };
  const changed = () => document.hidden ? hidden() : shown();
  const actions = {
    visibilitychange: changed, resume: changed, freeze: hidden, pagehide: hidden,
    pageshow: changed, online: changed,
  };
  for (const name in actions) addEventListener(name, actions[name], true);
  const checks = setInterval(check, 250);
  open();
  return {
    again,
    close() {
      for (const name in actions) removeEventListener(name, actions[name], true);
      clearInterval(checks);
      close();
    },
  };
}

// The payload with its list after the edits.
function edit(payload, edits) {
  const [[name, list]] = lists(payload), rows = [...list];
  for (const { insert, update, move, delete: removal } of lists(edits)[0][1]) {
    if (insert) rows.splice(insert.at, 0, insert.row);
    if (update) rows[update.at] = update.row;
    if (move) rows.splice(move.to, 0, ...rows.splice(move.from, 1));
    if (removal) rows.splice(removal.at, 1);
  }
  return { ...payload, [name]: rows };
}

const lists = payload => Object.entries(payload).filter(([, value]) => Array.isArray(value));

// Sends an event, a name or an object with one key. Returns busd's answer, {ok} or {error}.
// Throws if there is none, or the code of the error is overloaded, unavailable or uncertain: then
// send it again with the same key, and busd counts it once.
export async function send(to, event, key = newKey()) {
  const { status, answer } = await post("send", { to, event, key });
  if (status === 503) throw Object.assign(new Error(), answer.error);
  return answer;
}

async function post(path, value) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 10000);
  try {
    const response = await fetch(new URL(path, root), {
      method: "POST", body: JSON.stringify(value), signal: abort.signal,
      headers: { "Content-Type": "application/json" },
    });
    return { status: response.status, answer: await response.json() };
  } finally {
    clearTimeout(timer);
  }
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), n => n.toString(36)).join("");

// MARK: Values in their places

const $ = selector => document.querySelector(selector);
const main = $("main[data-from]");
const address = main?.dataset.from;
// "scoreboard/1 score": [[element, "home"], …]
const places = new Map();
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

function addPlace(element) {
  const [name, ...field] = element.dataset.value.split(".");
  const key = element.closest("[data-from]").dataset.from + " " + name;
  places.set(key, [...places.get(key) ?? [], [element, field.join(".")]]);
}

function show({ from, name, payload }) {
  for (const [element, field] of places.get(from + " " + name) ?? []) {
    write(element, payload[field]);
  }
}

function write(element, value) {
  let text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  if ("short" in element.dataset) text = text.split(".")[0];
  if (element.textContent === text) return;
  element.textContent = text;
  if ("pulse" in element.dataset && !isCalm.matches) {
    element.animate([{ scale: 1.12 }, { scale: 1 }], 400);
  }
}

const clockTime = time => new Date(time).toTimeString().slice(0, 8);

// MARK: A game

// The game's newest payloads, by event.
const game = { isNew: true };
// Of each player.
const counts = new Map();
let tick = 0, spokenAt = 0, speech;

function showPlayer({ from, name, payload }) {
  const all = { ...counts.get(from), [name]: payload.count };
  counts.set(from, all);
  const count = all.onePointMoveCount + 2 * all.twoPointMoveCount;
  if (count >= 0) show({ from, name: "points", payload: { count } });
}

function showGame() {
  const { teams, score, paused, finished, players } = game;
  main.dataset.state = finished?.isFinished ? "final" : paused?.isPaused ? "paused" : "running";
  main.dataset.winner = finished?.winner ?? "";
  if (teams && score) {
    main.dataset.digits = Math.max(2, `${score.home}`.length, `${score.away}`.length);
    document.title = `${teams.home} ${score.home} - ${score.away} ${teams.away}`;
    const final = finished?.isFinished ? ", final" : "";
    speak(`${teams.home} ${score.home}, ${teams.away} ${score.away}${final}`);
  }
  // Other players than those of the page: the server makes a new one.
  const rows = Array.from(document.querySelectorAll("tr[data-from]"), row => row.dataset.from);
  if (players && $("tbody") && rows.join() !== [players.home, players.away].flat().join()) {
    reload(Math.max(0, 10000 - performance.now()));
  }
}

// A screen reader says the score at most every two seconds.
function speak(text) {
  clearTimeout(speech);
  speech = setTimeout(() => {
    if ($("#spoken").textContent === text) return;
    spokenAt = Date.now();
    $("#spoken").textContent = text;
  }, spokenAt + 2000 - Date.now());
}

// MARK: The page

// Loads the page again, as soon as the answer is a page, and another one than that which says why
// there is none. A browser's own page for an error would never try again.
const reload = (wait = 5000) => setTimeout(async () => {
  try {
    const { status, headers } = await fetch(location, { method: "HEAD" });
    const isPage = headers.get("Content-Type")?.startsWith("text/html");
    if (isPage && status !== +$("[data-reload]")?.dataset.reload) return location.reload();
  } catch { }
  reload();
}, wait * (0.5 + Math.random()));

const load = path => import(new URL(path, root));

// Taps that wait for another game are sent from this page, too.
let elsewhere;
function lookForTaps() {
  try {
    if (elsewhere || !Object.keys(localStorage).some(name => name.startsWith("tap "))) return;
  } catch { return; }  // forbidden
  elsewhere = load($("[data-taps]").dataset.taps).then(
    ({ sendElsewhere }) =>
      sendElsewhere({ own: main?.dataset.score && address, root, watch, send, newKey }),
    () => elsewhere = null);
}
if ($("[data-taps]") && !$(".overlay")) {
  addEventListener("storage", lookForTaps);
  lookForTaps();
}

const link = $("[data-pair]");
if (link) load(link.dataset.pair).then(({ pair }) => pair({ post, root, write, $ }), () => reload());
if ($("[data-reload]")) reload();
if (main) {
  const isGame = $("#spoken");
  document.querySelectorAll("[data-value]").forEach(addPlace);
  let draw, showRows;
  if (main.dataset.rows) {
    ({ showRows } = await load(main.dataset.rows));
  }
  const { again } = watch(address, {
    update(events) {
      for (const event of events) {
        showRows?.(event, { address, places, addPlace, write });
        show(event);
        if (event.from !== address) showPlayer(event);
        else game[event.name] = event.payload;
        // The clock of a game that is resumed has not ticked yet.
        if (event.name === "time" || event.name === "paused") tick = Date.now();
      }
      if ($(".gone")) $(".gone").hidden = true;
      if (!isGame || events.every(event => event.name === "time")) return;
      showGame();
      draw?.();
    },
    live(since) {
      main.classList.toggle("late", since);
      if (since) write($(".stale b"), clockTime(since));
      $(".stale").hidden = !since;
    },
    gone(from) {
      if (from === address && $(".gone")) $(".gone").hidden = false;
    },
    late(opened) {
      const isLate = isGame && main.dataset.state === "running";
      return isLate && Date.now() - Math.max(tick, opened) > LATE ? tick || opened : 0;
    },
    lost() {
      game.isNew = true;
      delete game.undoable;
      draw?.();
    },
  }, main.dataset.stream);
  // For keeping the score, on a paired phone.
  if (main.dataset.score) {
    Promise.all([main.dataset.score, $("[data-taps]").dataset.taps].map(load)).then(
      ([{ keepScore }, { tapsOf }]) => {
        draw = keepScore({ main, address, game, tapsOf, root, send, newKey, again, write, $ });
      }, () => reload());
  }
}
