"use strict";
// Fetches the boards again; tells aloud which of them went on.
const wall = document.getElementById("wall"), voice = document.getElementById("say");
const root = document.documentElement, base = root.dataset.base;
const said = new Map();
const words = () => new Map([...wall.querySelectorAll(".tile")].map(
  (tile) => [tile.dataset.board, tile.getAttribute("aria-label") + ": " + tile.querySelector(".status").textContent]));

async function refresh() {
  const query = new URLSearchParams(location.search);
  query.set("lang", root.lang);
  try {
    const answer = await fetch(base + "/wall/fragment?" + query);
    if (!answer.ok) return;
    const text = await answer.text();
    if (text === refresh.last) return;
    refresh.last = text;
    const focused = document.activeElement?.closest(".tile")?.dataset.board;
    wall.innerHTML = text;
    if (focused) wall.querySelector(`.tile[data-board="${focused}"] a`)?.focus();
    const news = [];
    for (const [board, word] of words()) {
      if (said.has(board) && said.get(board) !== word) news.push(word);
      said.set(board, word);
    }
    if (news.length) voice.textContent = news.slice(0, 4).join(". ");
  } catch { /* the next try comes soon */ }
}

for (const [board, word] of words()) said.set(board, word);
setInterval(refresh, 2000);
