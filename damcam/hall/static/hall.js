"use strict";
// Fetches the list of boards again when one of them changed, at most once a second.
const hall = document.getElementById("hall"), voice = document.getElementById("say");
if (hall) {
  let pending = null, states = new Map();
  const read = () => new Map([...hall.querySelectorAll(".tile")].map(
    (tile) => [tile.dataset.board, tile.querySelector(".state").textContent.trim()]));

  async function refresh() {
    pending = null;
    let answer;
    try { answer = await fetch(hall.dataset.fragment); } catch { return; }
    if (answer.status === 403) { location.reload(); return; }
    if (!answer.ok) return;
    const at = document.activeElement?.closest("[data-board]")?.dataset.board;
    hall.innerHTML = await answer.text();
    if (at) hall.querySelector(`[data-board="${at}"] a`)?.focus();
    const now = read(), news = [];
    for (const [board, state] of now) if (states.has(board) && states.get(board) !== state) news.push(`Board ${board}: ${state}`);
    states = now;
    if (voice && news.length) voice.textContent = news.slice(0, 5).join("; ");
  }

  function soon() {
    if (pending === null) pending = setTimeout(refresh, 500 + 500 * Math.random());
  }

  states = read();
  const events = new EventSource(hall.dataset.events);
  events.onmessage = soon;
  if (document.querySelector(".tiles")) setInterval(soon, 5000);
}
