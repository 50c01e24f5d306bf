"use strict";
const game = document.getElementById("game"), voice = document.getElementById("say");
const root = document.documentElement, base = root.dataset.base;
let ply = null, flipped = game.dataset.flip === "1", pending = null, stamp = performance.now();
let told = game.querySelector("#status")?.textContent, asked = 0, at = 1;

const plies = () => game.querySelectorAll(".moves button").length;
const say = (text) => { if (voice) { voice.textContent = ""; setTimeout(() => { voice.textContent = text; }, 50); } };
const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
const cells = () => [...game.querySelectorAll("[role=gridcell]")];

async function refresh() {
  const query = new URLSearchParams(), turn = ++asked;
  if (ply !== null) query.set("ply", ply);
  if (flipped) query.set("flip", "1");
  query.set("lang", root.lang);
  let answer;
  try { answer = await fetch(base + "/fragment?" + query); } catch { return; }
  if (answer.status === 429) setTimeout(soon, 1000 + 2000 * Math.random());
  if (!answer.ok) return;
  const text = await answer.text();
  if (turn !== asked) return;
  const focused = document.activeElement?.dataset.ply, square = document.activeElement?.dataset.square;
  const scroll = game.querySelector(".moves")?.scrollTop ?? 0;
  game.innerHTML = text;
  stamp = performance.now() - Number(answer.headers.get("Game-Age-Ms") || 0);
  const moves = game.querySelector(".moves");
  moves.scrollTop = ply === null ? moves.scrollHeight : scroll;
  moves.querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});
  if (focused) game.querySelector(`button[data-ply="${focused}"]`)?.focus();
  if (square) look(Number(square));
  const now = game.querySelector("#status").textContent;
  if (now !== told) say(now);
  told = now;
}

function soon() {
  if (pending === null) pending = setTimeout(() => { pending = null; refresh(); }, 40 + 60 * Math.random());
}

function step(to) {
  ply = to >= plies() ? null : Math.max(0, to);
  refresh();
}

function tick() {
  for (const time of game.querySelectorAll("time[data-running]")) {
    const left = Math.max(0, Math.floor((time.dataset.ms - (performance.now() - stamp)) / 1000));
    const two = (value) => String(value).padStart(2, "0");
    time.textContent = `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  }
}

function theme() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private window */ }
}

function look(square) {
  at = square;
  for (const one of game.querySelectorAll(".board .at")) one.classList.remove("at");
  game.querySelector(`.board [data-square="${square}"]`)?.classList.add("at");
  cells().find((cell) => Number(cell.dataset.square) === square)?.focus({preventScroll: true});
}

function walk(key) {
  const all = cells(), width = all[0].parentElement.children.length;
  const here = all.findIndex((cell) => Number(cell.dataset.square) === at);
  const to = here + {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width}[key];
  if (all[to]) look(Number(all[to].dataset.square));
}

const clocks = () => [...game.querySelectorAll(".side")].map((side) => side.textContent.trim()).join("; ");
const actions = {
  first: () => step(0), back: () => step((ply ?? plies()) - 1), on: () => step((ply ?? plies()) + 1),
  last: () => step(plies()), flip: () => { flipped = !flipped; refresh(); }, theme,
  tell: () => { const all = game.querySelectorAll(".moves button"); say(all.length ? all[all.length - 1].getAttribute("aria-label") : told); },
  clocks: () => say(clocks()), position: () => say(game.querySelector(".board").getAttribute("aria-label")),
  board: () => look(at),
};
const keys = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", t: "theme",
  l: "tell", c: "clocks", p: "position", b: "board"};

if (remembered()) root.dataset.theme = remembered();
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.ply) step(Number(button.dataset.ply));
  else if (button?.dataset.step) actions[button.dataset.step]();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  if (event.target.matches("[role=gridcell]") && event.key.startsWith("Arrow")) walk(event.key);
  else {
    const name = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name) return;
    actions[name]();
  }
  event.preventDefault();
});
const list = game.querySelector(".moves");
if (list) list.scrollTop = list.scrollHeight;
if (flipped || game.querySelector("time[data-running]")) refresh();
const events = new EventSource(base + "/api/events?after=" + game.dataset.seq);
events.onmessage = soon;
for (const kind of ["evaluation", "picture"]) events.addEventListener(kind, soon);
events.onerror = () => { events.onopen = soon; };
setInterval(tick, 250);

// What is wrong with the recording, such as a slow computer or a full disk, above everything else.
async function health() {
  let troubles = [];
  try { troubles = (await (await fetch(base + "/healthz")).json()).troubles ?? []; } catch { /* gone */ }
  let line = document.getElementById("health");
  if (!line && troubles.length) {
    line = Object.assign(document.createElement("p"), { id: "health", role: "status" });
    document.body.prepend(line);
  }
  if (line) line.textContent = troubles.join("; ");
}
if (!document.body.classList.contains("overlay")) { health(); setInterval(health, 10000); }
const snippet = document.getElementById("snippet");
if (snippet) {
  snippet.value = snippet.value.replace('src="', 'src="' + location.origin);
  snippet.addEventListener("focus", () => snippet.select());
}
