/* What every page of ours does, whether a game is replayed or being played: what it was given, where the panels
   of a position go, and the theme. */

const facts = JSON.parse(document.getElementById('facts').textContent);
const find = (id) => document.getElementById(id);
const THEMES = [['', 'as the system'], ['light', 'light'], ['dark', 'dark']];

/* The head of the table and the pack each have a place of their own, the seats share one. */
function showPosition(panels) {
  const show = (id, shown) => showPanels(find(id), shown, facts.width, facts.letters);
  for (const name of ['head', 'pack']) show(name, panels.filter((panel) => panel.name === name));
  show('table', panels.filter((panel) => panel.name.startsWith('seat-')));
  layPanels(find('table'), facts.width);
}

function changeTheme() {
  const root = document.documentElement;
  const now = THEMES.findIndex(([theme]) => theme === (root.dataset.theme || ''));
  const [theme, words] = THEMES[(now + 1) % THEMES.length];
  root.dataset.theme = theme;
  find('theme').textContent = `Theme: ${words}`;
}

/* What does not depend on the game. */
function startPage() {
  showPanels(find('signs'), [facts.signs], facts.width, facts.letters);
  find('theme').addEventListener('click', changeTheme);
  watchPanels(find('table'), facts.width);
}
