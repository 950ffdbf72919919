'use strict';
/* Showing panels. They come as Python writes them (svg.py): a panel has a name, a title and strips, a strip a
   height, its SVG, and the actions that it stands for. Nothing here knows where they come from, so that a replay
   and a game that is being played show the same. */

function escapeText(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/* A strip at its height in the panel; those with actions get a frame that can be lit. What is to be pressed
   below its shapes is a group of its own, since nothing inside an image is read aloud. */
function writeStrip([height, shapes, actions, below], top, width) {
  const role = shapes.startsWith('<title>') ? ' role="img"' : '';
  const rest = below ? `<g transform="translate(0 ${top})">${below}</g>` : '';
  if (!actions) return `<g transform="translate(0 ${top})"${role}>${shapes}</g>${rest}`;
  const frame = `<rect class="act" x="8" y="2" width="${width - 16}" height="${height - 4}" rx="6"/>`;
  return `<g transform="translate(0 ${top})"${role} data-action="${escapeText(actions)}">${shapes}${frame}</g>`;
}

/* A panel as SVG. */
function writePanel(panel, width, letters) {
  let top = 0;
  let parts = '';
  for (const strip of panel.strips) {
    parts += writeStrip(strip, top, width);
    top += strip[0];
  }
  const ground = `<rect x=".5" y=".5" width="${width - 1}" height="${top - 1}" rx="8" fill="var(--paper)" stroke="var(--line)"/>`;
  return `<svg viewBox="0 0 ${width} ${top}" role="group" aria-label="${escapeText(panel.title)}" `
    + `font-family="${escapeText(letters)}" font-size="12">${ground}${parts}</svg>`;
}

/* Puts panels into a place, in this order; those that are shown already stay as they are. */
function showPanels(place, panels, width, letters) {
  const old = new Map([...place.children].map((child) => [child.dataset.name, child]));
  panels.forEach((panel, number) => {
    let shown = old.get(panel.name);
    if (!shown) {
      shown = document.createElement('section');
      shown.className = 'iaww-panel';
      shown.dataset.name = panel.name;
    }
    old.delete(panel.name);
    if (shown.panel !== panel) {
      shown.setAttribute('aria-label', panel.title);
      shown.innerHTML = writePanel(panel, width, letters);
      shown.panel = panel;
    }
    if (place.children[number] !== shown) place.insertBefore(shown, place.children[number] || null);
  });
  for (const gone of old.values()) gone.remove();
}

const PANELS = { least: 344, gap: 10 }; // the narrowest column and what is free around panels, as in drawing.css

/* Panels in columns that know nothing of each other: each lies right below the one above it, and stays in its
   column whatever the others show. Every second row runs back, so that the longest stands above the fewest: the
   first, that of the seat which looks on. */
function layPanels(place, width) {
  const wide = place.clientWidth;
  const columns = Math.max(1, Math.floor((wide + PANELS.gap) / (PANELS.least + PANELS.gap)));
  const column = (wide - (columns - 1) * PANELS.gap) / columns;
  place.classList.add('laid');
  [...place.children].forEach((shown, number) => {
    const high = shown.panel.strips.reduce((sum, [height]) => sum + height, 0) * column / width;
    const isBack = Math.floor(number / columns) % 2 === 1;
    shown.style.gridColumn = isBack ? columns - number % columns : number % columns + 1;
    shown.style.gridRow = `auto / span ${Math.ceil(high) + PANELS.gap}`;
  });
}

/* Lays them anew when the place has become wider or narrower. */
function watchPanels(place, width) {
  let wide = place.clientWidth;
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (wide === place.clientWidth) return;
    wide = place.clientWidth;
    layPanels(place, width);
  })).observe(place);
}

/* Lights what an action is about, and nothing else. */
function lightAction(root, text) {
  for (const lit of root.querySelectorAll('.chosen[data-action]')) lit.classList.remove('chosen');
  if (!text) return;
  for (const strip of root.querySelectorAll('[data-action]')) {
    if (strip.dataset.action.split(' ').includes(text)) strip.classList.add('chosen');
  }
}
