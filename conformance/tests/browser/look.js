// What somebody who looks at the page would complain of, each thing in a line. The first argument says whether the reader's system is dark.
(dark) => {
  const problems = [];
  const complain = (what, element) => {
    const name = element.id ? `#${element.id}` : element.className ? `.${element.className}` : "";
    problems.push(`${what}: <${element.tagName.toLowerCase()}${name}> ${element.textContent.trim().slice(0, 40)}`);
  };
  const style = (element) => getComputedStyle(element);
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const painted = (color) => channels(color)[3] !== 0;
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) if (painted(style(at).backgroundColor)) return style(at).backgroundColor;
    return "rgb(255, 255, 255)";
  };
  const scrolls = (element) => {
    for (let at = element; at; at = at.parentElement) if (["auto", "scroll"].includes(style(at).overflowX)) return true;
    return false;
  };

  const [heading, ...others] = document.querySelectorAll("h1");
  if (!heading || others.length > 0 || !heading.textContent.trim()) problems.push("there is not exactly one heading");
  if (document.title.trim() === "") problems.push("there is no title");
  const paper = light(style(document.body).backgroundColor);
  if (dark ? paper > 0.1 : paper < 0.8) problems.push(`the page is ${dark ? "light" : "dark"} to a reader who wants the other`);
  if (document.documentElement.scrollWidth > innerWidth) {
    problems.push(`the page scrolls sideways: it is ${document.documentElement.scrollWidth} wide on a screen of ${innerWidth}`);
  }
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) complain("a second place of that name", element);
    ids.add(element.id);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !element.checkVisibility()) continue;
    const [ink, ground] = [light(style(element).color), light(behind(element))];
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5) complain(`hard to read, contrast ${contrast.toFixed(1)}`, element);
    if (parseFloat(style(element).fontSize) < 11) complain(`too small, ${style(element).fontSize}`, element);
    const box = element.getBoundingClientRect();
    if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element)) complain("sticks out of the screen", element);
  }
  const links = [...document.querySelectorAll("a[href]")].map((link) => link.href);
  return { problems: [...new Set(problems)], ids: [...ids], links: [...new Set(links)] };
}
