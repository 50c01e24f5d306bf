"use strict";
// Fetches the list of boards again when one of them changed, at most once a second.
const hall = document.getElementById("hall"), voice = document.getElementById("say");
if (hall) {
  let pending = null, states = new Map();
  const lang = "?lang=" + document.documentElement.lang;
  const read = () => new Map([...hall.querySelectorAll("[data-label]")].map((one) => [
    one.dataset.board,
    one.dataset.label + ": " + (one.querySelector(".state") ?? one.querySelector("td:nth-child(4)")).textContent.trim()]));

  async function refresh() {
    pending = null;
    let answer;
    try { answer = await fetch(hall.dataset.fragment + lang); } catch { return; }
    if (answer.status === 403) { location.reload(); return; }
    if (!answer.ok) return;
    const at = document.activeElement?.closest("[data-board]")?.dataset.board;
    hall.innerHTML = await answer.text();
    if (at) hall.querySelector(`[data-board="${at}"] a`)?.focus();
    const now = read(), news = [];
    for (const [board, state] of now) if (states.has(board) && states.get(board) !== state) news.push(state);
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
