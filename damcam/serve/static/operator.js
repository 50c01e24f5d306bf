"use strict";
// A move in the list becomes the one to correct; new events are told, forms stay untouched.
const game = document.getElementById("game"), base = document.documentElement.dataset.base ?? "";
if (game) {
  game.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-ply]");
    if (button) location.assign(base + "/operator?lang=" + document.documentElement.lang + "&ply=" + Number(button.dataset.ply));
  });
  const typing = () => [...document.querySelectorAll("input:not([type=hidden])")].some(
    (input) => input.value !== input.defaultValue || input === document.activeElement);
  let sending = false;
  document.addEventListener("submit", () => { sending = true; });
  new EventSource(base + "/operator/events?after=" + game.dataset.seq).onmessage = () => {
    if (sending) return;
    if (!typing()) location.reload();
    else document.querySelector(".news").hidden = false;
  };
}
const camera = document.getElementById("camera");
if (camera) {
  const again = () => setTimeout(() => { camera.src = base + "/operator/camera.jpg?" + Date.now(); }, 1000);
  camera.addEventListener("load", again);
  camera.addEventListener("error", again);
}
