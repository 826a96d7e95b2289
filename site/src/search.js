// Finds entries whose name or sentence holds every word that is asked for. The index stands in search-index.js.
"use strict";
const query = document.getElementById("query");
const found = document.getElementById("found");
const MOST = 40;

// How well an entry fits: the lower the better; -1 if it does not.
function rank([name, , told], words) {
  const [title, text] = [name.toLowerCase(), told.toLowerCase()];
  if (!words.every((word) => title.includes(word) || text.includes(word))) return -1;
  if (title === words.join(" ")) return 0;
  if (words.every((word) => title.includes(word))) return title.startsWith(words[0]) ? 1 : 2;
  return words.some((word) => title.includes(word)) ? 3 : 4;
}

function element(tag, text, into) {
  const made = document.createElement(tag);
  made.textContent = text;
  into.append(made);
  return made;
}

function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = words.length === 0 ? [] : INDEX.map((entry) => [rank(entry, words), entry]).filter(([r]) => r >= 0);
  ranked.sort(([a], [b]) => a - b);
  found.replaceChildren();
  for (const [, [name, kind, told, url]] of ranked.slice(0, MOST)) {
    const link = element("a", "", element("li", "", found));
    link.href = url;
    element("strong", name, link);
    element("small", ` ${kind} `, link);
    element("span", told, link);
  }
  if (ranked.length > MOST) element("li", `and ${ranked.length - MOST} more`, found);
  if (words.length > 0 && ranked.length === 0) element("li", "Nothing has these words.", found);
  found.hidden = words.length === 0;
}

// A search can be linked to: index.html?q=words.
query.value = new URLSearchParams(location.search).get("q") ?? "";
show();
query.addEventListener("input", show);
found.addEventListener("click", (event) => { if (event.target.closest("a")) found.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") found.hidden = true;
  if (event.key === "Enter" && document.activeElement === query) found.querySelector("a")?.click();
  if (event.key === "/" && document.activeElement !== query) { event.preventDefault(); query.focus(); }
});
