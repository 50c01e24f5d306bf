"use strict";
// Fetches the boards again when one went on, tells aloud which, lets the clocks run; on a wide
// screen all boards are made to fit without scrolling.
const wall = document.getElementById("wall"), voice = document.getElementById("say");
const root = document.documentElement, base = root.dataset.base;
const said = new Map(), ages = new Map();
let pending = null, stamp = performance.now(), last = "";
const tiles = () => [...wall.querySelectorAll(".tile")];
const words = () => new Map(tiles().map(
  (tile) => [tile.dataset.board, tile.getAttribute("aria-label") + ": " + tile.querySelector(".status").textContent]));

async function refresh() {
  pending = null;
  const query = new URLSearchParams(location.search);
  query.set("lang", root.lang);
  let answer;
  try { answer = await fetch(base + "/wall/fragment?" + query); } catch { return; }
  if (answer.status === 429) soon(1000 + 2000 * Math.random());
  if (!answer.ok) return;
  const text = await answer.text();
  stamp = performance.now();
  for (const pair of (answer.headers.get("Game-Ages-Ms") ?? "").split(",")) {
    const [board, age] = pair.split("=");
    ages.set(board, Number(age) || 0);
  }
  if (text === last) return;
  last = text;
  const focused = document.activeElement?.closest(".tile")?.dataset.board;
  wall.innerHTML = text;
  fit();
  if (focused) wall.querySelector(`.tile[data-board="${focused}"] a`)?.focus();
  const news = [];
  for (const [board, word] of words()) {
    if (said.has(board) && said.get(board) !== word) news.push(word);
    said.set(board, word);
  }
  if (news.length) voice.textContent = news.slice(0, 4).join(". ");
}

function soon(wait = 50 + 150 * Math.random()) {
  if (pending === null) pending = setTimeout(refresh, wait);
}

function tick() {
  for (const time of wall.querySelectorAll("time[data-running]")) {
    const age = (ages.get(time.closest(".tile").dataset.board) ?? 0) + performance.now() - stamp;
    const left = Math.max(0, Math.floor((time.dataset.ms - age) / 1000));
    const two = (value) => String(value).padStart(2, "0");
    time.textContent = `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  }
}

// The number of columns with which a tile is largest; narrow screens scroll as the style sheet says.
function fit() {
  const all = tiles();
  wall.classList.remove("fits");
  if (!all.length || innerWidth < 1000) return;
  const gap = 16, height = innerHeight - wall.getBoundingClientRect().top - scrollY - gap, width = wall.clientWidth;
  const around = all[0].offsetHeight - all[0].querySelector("svg").clientHeight;
  let best = 1, widest = 0;
  for (let columns = 1; columns <= all.length; columns++) {
    const rows = Math.ceil(all.length / columns);
    const side = Math.min(width / columns - gap, height / rows - gap - around);
    if (side > widest) { widest = side; best = columns; }
  }
  if (widest < 150) return;
  wall.style.setProperty("--columns", best);
  wall.style.setProperty("--tile", Math.floor(widest) + "px");
  wall.classList.add("fits");
}

for (const [board, word] of words()) said.set(board, word);
new EventSource(base + "/wall/events").onmessage = () => soon();
addEventListener("resize", fit);
fit();
setInterval(tick, 250);
