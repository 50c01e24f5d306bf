"use strict";
const game = document.getElementById("game");
let ply = null, flipped = false, pending = null, stamp = performance.now();

function plies() { return game.querySelectorAll(".moves button").length; }

async function refresh() {
  const query = new URLSearchParams();
  if (ply !== null) query.set("ply", ply);
  if (flipped) query.set("flip", "1");
  const answer = await fetch("/fragment?" + query);
  if (!answer.ok) return;
  const list = game.querySelector(".moves");
  const focused = document.activeElement && document.activeElement.dataset.ply;
  const scroll = list ? list.scrollTop : 0;
  game.innerHTML = await answer.text();
  stamp = performance.now() - Number(answer.headers.get("Game-Age-Ms") || 0);
  const moves = game.querySelector(".moves");
  moves.scrollTop = ply === null ? moves.scrollHeight : scroll;
  if (focused) game.querySelector(`button[data-ply="${focused}"]`)?.focus();
}

function soon() {
  if (pending === null) pending = setTimeout(() => { pending = null; refresh(); }, 60);
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

game.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-ply]");
  if (button) step(Number(button.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const now = ply === null ? plies() : ply;
  if (event.key === "ArrowLeft") step(now - 1);
  else if (event.key === "ArrowRight") step(now + 1);
  else if (event.key === "f" || event.key === "F") { flipped = !flipped; refresh(); }
  else if (event.key === "l" || event.key === "L") step(plies());
});
new EventSource("/api/events").onmessage = soon;
setInterval(tick, 250);
