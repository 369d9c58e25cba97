// Keys: all that the mouse can do with the clock, the camera and what is shown.

export function listenToKeys(view, player) {
  const cameras = { 1: "home", 2: "front", 3: "side", 4: "top" };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (inField) return;
    const key = event.key.toLowerCase();
    if (player) {
      if (key === " " && event.target.tagName !== "BUTTON") player.toggle();
      else if (key === "arrowright") player.step(event.shiftKey ? 10 : 1);
      else if (key === "arrowleft") player.step(event.shiftKey ? -10 : -1);
      else if (key === "home") player.seek(player.start);
      else if (key === "end") player.seek(player.end);
    }
    if (cameras[key]) view.preset(cameras[key]);
    const check = document.querySelector(`input[data-key="${CSS.escape(key)}"]`);
    if (check) check.click();
    else if (key === "?") document.getElementById("help").showModal();
    else if (![" ", "arrowright", "arrowleft", "home", "end"].includes(key)) return;
    event.preventDefault();
  });
}
