/* The page of a game that is played. The server holds the game and sends its state whenever it changes; the
   page shows it, and says what was chosen together with the question that this answers. It keeps nothing. */

const SLOWEST = 4000; // milliseconds between two tries to connect again
const ENDED = ['over', 'broken', 'closed'];

let state = null;
let answered = 0; // the question that was answered last in this tab
let delay = 250;
let place = 0; // where among the choices the focus was
let told = 0; // news that are shown already
let newsSince = -1; // the first of those that are shown as new
const drawn = new Map(); // panels by name, as they were shown last

/* --- The line to the server ------------------------------------------------------------------------ */

function connect() {
  const socket = new WebSocket(`ws://${location.host}${location.pathname}stream`);
  socket.addEventListener('message', (event) => {
    delay = 250;
    showLine('Connected', false);
    state = JSON.parse(event.data);
    show();
  });
  socket.addEventListener('close', () => {
    if (state && state.status === 'closed') {
      showLine('The server has ended', true);
      return;
    }
    showLine('Connection lost: trying again ...', true);
    setTimeout(connect, delay);
    delay = Math.min(SLOWEST, delay * 2);
  });
}

function showLine(text, isLost) {
  if (find('line').textContent !== text) find('line').textContent = text;
  find('line').classList.toggle('lost', isLost);
}

/* Asks the server for something; what it refuses is told. */
async function ask(kind, about = {}) {
  say('');
  let answer;
  try {
    answer = await fetch('ask', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ kind, question: state ? state.question : 0, ...about }),
    });
  } catch {
    answered = 0;
    say('The server does not answer, and nothing was chosen. Try again when the page is connected.');
    return;
  }
  if (answer.ok) return;
  answered = 0;
  const { refused } = await answer.json().catch(() => ({ refused: 'the server refuses' }));
  say(`${refused[0].toUpperCase()}${refused.slice(1)}.`);
}

function say(text, isHint = false) {
  if (find('said').textContent !== text) find('said').textContent = text;
  find('said').classList.toggle('hint', isHint);
}

/* --- Choosing --------------------------------------------------------------------------------------- */

function isAsked() {
  return state !== null && state.status === 'asked' && state.question !== answered;
}

async function choose(choice) {
  if (!isAsked()) return;
  const question = state.question;
  if (choice.loss && !await confirmLoss('Give it up?', choice.loss, 'Give it up')) return;
  if (!isAsked() || state.question !== question) return;
  answered = question; // a second click chooses nothing
  ask('play', { question, action: choice.action, sure: Boolean(choice.loss) });
}

/* Asks before something is lost. */
function confirmLoss(title, about, yes, no = 'Keep it') {
  const dialog = find('ask');
  find('ask-title').textContent = title;
  find('ask-about').textContent = about;
  find('ask-yes').textContent = yes;
  find('ask-no').textContent = no;
  dialog.returnValue = '';
  dialog.showModal();
  find('ask-no').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

function askHint() {
  if (isAsked()) ask('hint');
}

function askUndo() {
  if (!isAsked()) return;
  if (state.undo) {
    say(`${state.undo[0].toUpperCase()}${state.undo.slice(1)}.`);
    return;
  }
  answered = state.question;
  ask('undo', { question: answered });
}

async function leave() {
  const isOver = state && ENDED.includes(state.status);
  const about = 'The game is saved as far as it was played.';
  if (!isOver && !await confirmLoss('Leave the game?', about, 'Leave', 'Play on')) return;
  await ask('leave');
  if (state.status === 'waiting') say('The game ends as soon as the bot that is thinking has decided.');
}

/* --- Showing ----------------------------------------------------------------------------------------- */

function show() {
  const isOver = ENDED.includes(state.status);
  const focus = noteFocus();
  showTable();
  showNews();
  showHint();
  find('stage').textContent = state.stage || '';
  const duty = state.status === 'asked' ? state.duty : isOver ? 'The game has ended.' : 'The others decide ...';
  if (find('duty').textContent !== duty) find('duty').textContent = duty;
  document.title = state.status === 'asked' ? `Your move - ${facts.title}` : facts.title;
  document.body.classList.toggle('waits', state.status === 'waiting');
  find('hint').hidden = find('undo').hidden = isOver;
  find('hint').disabled = state.status !== 'asked';
  find('undo').disabled = state.status !== 'asked' || Boolean(state.undo);
  find('leave').textContent = isOver ? 'Close' : 'Leave';
  find('leave').hidden = state.status === 'closed';
  if (isOver) showEnd();
  if (state.status === 'asked') restoreFocus(focus);
}

function showTable() {
  const offers = new Map((state.status === 'asked' ? state.choices : []).map((one) => [one.action, one]));
  showPosition((state.panels || []).map((panel) => keepPanel(panel, offers)));
  for (const id of ['pack', 'table']) makeChoices(find(id), offers, choose);
  const end = offers.get('end');
  find('end-phase').hidden = !end;
  if (end) find('end-phase').textContent = `${end.words[0].toUpperCase()}${end.words.slice(1)}`;
}

/* The panel that is shown already, where nothing in it has changed: it keeps what has the focus. */
function keepPanel(panel, offers) {
  const key = JSON.stringify([panel, panel.strips.map(([, , actions]) => actions.split(' ').map((one) => offers.get(one)))]);
  const known = drawn.get(panel.name);
  if (known && known.key === key) return known.panel;
  const made = addRows(panel, offers);
  drawn.set(panel.name, { key, panel: made });
  return made;
}

function makeLine(text) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

/* What has happened since the last decision; a reader is told of what is new alone. */
function showNews() {
  const { news, since } = state;
  if (since !== newsSince && news.length > since) {
    find('news').replaceChildren(); // they are read from the first one on
    find('news-box').scrollTop = 0;
    newsSince = told = since;
  }
  find('news').append(...news.slice(told).map(makeLine));
  told = news.length;
  if (!news.length) find('news').replaceChildren(makeLine('The game begins.'));
  const missing = news.slice(find('all').children.length);
  find('all').append(...missing.map(makeLine));
}

function showHint() {
  const { hint } = state;
  if (hint) say(`Hint: ${hint.words}`, true);
  else if (find('said').classList.contains('hint')) say('');
  for (const one of document.querySelectorAll('[data-choice]')) {
    one.classList.toggle('hinted', Boolean(hint) && hint.action === one.dataset.choice);
  }
}

function showEnd() {
  find('end').hidden = !state.outcome;
  if (!state.outcome) return;
  const isNew = !find('outcome').children.length;
  find('outcome').replaceChildren(...state.outcome.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  find('saved').textContent = state.saved || 'The game was not saved.';
  find('sources').replaceChildren(...(state.sources ? makeSources(state.sources) : []));
  find('news-title').textContent = 'What happened last';
  if (isNew) find('end').focus();
}

function makeRow(name, cells, tag) {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = name;
  row.append(head, ...cells.map((text) => {
    const cell = document.createElement(tag);
    if (tag === 'th') cell.scope = 'col';
    cell.textContent = text || '';
    return cell;
  }));
  return row;
}

function makeSources({ seats, rows }) {
  return [makeRow('points', seats, 'th'), ...rows.map(([name, counts]) => makeRow(name, counts, 'td'))];
}

/* --- Focus and keys ----------------------------------------------------------------------------------- */

function listChoices() {
  return [...document.querySelectorAll('[data-choice]')];
}

/* Which choice has the focus, before the panels change. */
function noteFocus() {
  const active = document.activeElement;
  const number = listChoices().indexOf(active);
  if (number >= 0) place = number;
  return { had: number >= 0 || active === document.body, text: number >= 0 ? active.dataset.choice : '', byKey: lastByKey };
}

let lastByKey = false;

/* Whoever plays by keys stays where they were: on the same choice, or on the one that stands there now. */
function restoreFocus({ had, text, byKey }) {
  const choices = listChoices();
  if (!had || !byKey || !choices.length || find('ask').open) return;
  if (choices.includes(document.activeElement)) return;
  const same = choices.find((one) => text && one.dataset.choice === text);
  focusChoice(same || choices[Math.min(place, choices.length - 1)]);
}

function focusChoice(one) {
  if (!one) return;
  one.focus({ preventScroll: true });
  one.scrollIntoView({ block: 'nearest' });
}

function moveFocus(by) {
  const choices = listChoices();
  const now = choices.indexOf(document.activeElement);
  focusChoice(choices[now < 0 ? (by > 0 ? 0 : choices.length - 1) : (now + by + choices.length) % choices.length]);
}

function endPhase() {
  const end = state && state.choices && state.choices.find((one) => one.action === 'end');
  if (end) choose(end);
}

const KEYS = {
  ArrowDown: () => moveFocus(1),
  ArrowUp: () => moveFocus(-1),
  e: endPhase,
  h: askHint,
  u: askUndo,
};

function handleKey(event) {
  lastByKey = true;
  if (event.ctrlKey || event.altKey || event.metaKey || find('ask').open) return;
  const isScroll = event.target.closest('.scroll, .scroll-wide');
  if (isScroll && event.key.startsWith('Arrow')) return; // it moves what has the focus
  const act = /^[1-9]$/.test(event.key) ? () => focusChoice(listChoices()[Number(event.key) - 1]) : KEYS[event.key];
  if (!act || (event.repeat && !event.key.startsWith('Arrow'))) return;
  event.preventDefault();
  act();
}

function start() {
  startPage();
  find('players').replaceChildren(...facts.players.map(makeLine));
  find('end-phase').addEventListener('click', endPhase);
  find('hint').addEventListener('click', askHint);
  find('undo').addEventListener('click', askUndo);
  find('leave').addEventListener('click', leave);
  find('ask-yes').addEventListener('click', () => find('ask').close('yes'));
  find('ask-no').addEventListener('click', () => find('ask').close(''));
  document.addEventListener('keydown', handleKey);
  document.addEventListener('pointerdown', () => { lastByKey = false; });
  connect();
}

start();
