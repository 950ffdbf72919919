/* What can be chosen, inside the panels: a card as a whole, or a row of buttons below it. */

const BUTTON = { height: 30, gap: 4, left: 10, columns: 2 };

/* Strips as panels.js shows them, those with buttons made higher; `offers` leads from actions to choices. */
function addRows(panel, offers) {
  const strips = panel.strips.map(([height, shapes, actions]) => {
    const found = actions.split(' ').map((action) => offers.get(action)).filter(Boolean);
    if (found.length === 1 && !found[0].in_row) return [height, shapes, actions];
    const rows = Math.ceil(found.length / BUTTON.columns);
    const buttons = found.map((choice, number) => writeButton(choice, number, found.length, height)).join('');
    return [height + rows * (BUTTON.height + BUTTON.gap), shapes, '', buttons];
  });
  return { ...panel, strips };
}

/* One of `count` buttons below a card, in SVG. */
function writeButton(choice, number, count, top) {
  const columns = BUTTON.columns;
  const room = facts.width - 2 * BUTTON.left;
  const width = (room - (columns - 1) * BUTTON.gap) / columns;
  const column = choice.loss && count === 1 ? 1 : number % columns; // what gives up stays in its place
  const x = BUTTON.left + column * (width + BUTTON.gap);
  const y = top + Math.floor(number / columns) * (BUTTON.height + BUTTON.gap);
  const kind = choice.loss ? ' careful' : '';
  return `<g class="choice button${kind}" data-choice="${escapeText(choice.action)}">`
    + `<rect class="act" x="${x}" y="${y}" width="${width}" height="${BUTTON.height}" rx="6"/>`
    + `<text x="${x + width / 2}" y="${y + 19.5}" text-anchor="middle" fill="var(--ink)" font-size="13">`
    + `${escapeText(choice.label)}</text></g>`;
}

/* Makes buttons of all that can be chosen in a place. */
function makeChoices(place, offers, choose) {
  for (const strip of place.querySelectorAll('[data-action]')) {
    if (offers.has(strip.dataset.action)) strip.dataset.choice = strip.dataset.action;
  }
  for (const one of place.querySelectorAll('[data-choice]')) {
    const choice = offers.get(one.dataset.choice);
    if (one.isChoice) continue;
    one.isChoice = true;
    one.classList.add('choice');
    one.setAttribute('role', 'button');
    one.setAttribute('tabindex', '0');
    const about = one.querySelector(':scope > title');
    one.setAttribute('aria-label', about ? `${choice.words}. ${about.textContent}` : choice.words);
    one.addEventListener('click', (event) => {
      if (event.detail < 2) choose(choice); // a double click is meant once; its second half may hit the next card
    });
    one.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) choose(choice); // a key that is held down chooses once
    });
  }
}
