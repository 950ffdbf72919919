/* The replay: which position is shown, seen by whom, and all that leads from one to the other. */

const LAST = facts.moves.length;
const ALL = -1; // seen by a spectator
const PAUSE = 900; // milliseconds between two moves that are played
const narrow = matchMedia('(max-width: 759px)'); // one column: what is looked at stands first
const panels = facts.panels.map(([name, title, strips]) => ({ name, title, strips: strips.map((one) => facts.strips[one]) }));

let move = 0;
let viewer = ALL;
let playing = 0;
let noting = 0;

/* --- What the viewer knows ------------------------------------------------------------------------ */

/* The first position of the stage in which one lies: others are seen as they stood then. */
const stageStarts = facts.stages.map((stage) => facts.stages.indexOf(stage));

function knowsMove(number) {
  if (viewer === ALL) return true;
  if (number > move) return false; // whoever looks with a seat's eyes does not see ahead
  return facts.moves[number][0] === viewer || facts.stages[number] < facts.stages[move];
}

function knownPoints(seat, position) {
  return facts.points[viewer === ALL || seat === viewer ? position : stageStarts[position]][seat];
}

function nameSeat(seat) {
  return facts.seats.length === 1 ? 'The player' : `Seat ${seat}`;
}

/* An empire and who plays it, as far as the record tells. */
function nameEmpire(seat) {
  return facts.agents[seat] ? `${facts.seats[seat]} \u00b7 ${facts.agents[seat]}` : facts.seats[seat];
}

/* A move in words, as far as the viewer knows it. */
function tellMove(number) {
  const [seat, action] = facts.moves[number];
  if (knowsMove(number)) return `${nameSeat(seat)} ${facts.texts[action][1]}`;
  return `${nameSeat(seat)} decides, not seen`;
}

/* --- Showing --------------------------------------------------------------------------------------- */

function showTable() {
  const table = facts.tables[facts.views[viewer + 1][move]].map((number) => panels[number]);
  const acting = viewer === ALL && move < LAST ? `seat-${facts.moves[move][0]}` : '';
  if (narrow.matches) table.sort((one, other) => (other.name === acting) - (one.name === acting));
  showPosition(table);
  const shown = move < LAST && knowsMove(move) ? facts.texts[facts.moves[move][1]][0] : '';
  lightAction(document, shown);
}

function showMove() {
  find('before').textContent = move ? `Before: ${tellMove(move - 1)}.` : 'The game begins.';
  find('now').textContent = move < LAST ? `Move ${move}: ${tellMove(move)}.` : `All ${LAST} moves are played.`;
  find('stage').textContent = facts.stageNames[facts.stages[move]];
  find('count').textContent = `${move} of ${LAST}`;
  find('slider').value = move;
  find('slider').setAttribute('aria-valuetext', `move ${move} of ${LAST}, ${facts.stageNames[facts.stages[move]]}`);
  find('link').href = writeAddress();
}

/* The legal actions of the seat that decides, with what it thought of them. */
function showLegal() {
  const list = find('legal');
  list.replaceChildren();
  const isSeen = move < LAST && knowsMove(move);
  find('legal-box').hidden = !isSeen;
  const thought = isSeen && facts.thoughts[move];
  find('legal-title').textContent = isSeen ? `Legal actions${thought ? `, by ${thought.of}` : ''}` : '';
  if (!isSeen) return;
  const values = new Map(thought ? thought.values : []);
  const legal = [...new Set([...facts.legal[move], ...values.keys()])];
  if (thought) legal.sort((one, other) => (values.get(other) ?? -Infinity) - (values.get(one) ?? -Infinity));
  const span = measureSpan(thought);
  for (const action of legal) list.append(makeAction(action, values.get(action), span));
}

/* From where to where the bars of a thought lead. */
function measureSpan(thought) {
  if (!thought || thought.of === 'probability') return [0, 1];
  const values = thought.values.map(([, value]) => value);
  return [Math.min(0, ...values), Math.max(0, ...values)];
}

function writeNumber(value, of) {
  if (of === 'probability') return `${(100 * value).toFixed(1)} %`;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function makeAction(action, value, [least, most]) {
  const item = document.createElement('li');
  const [notation, words] = facts.texts[action];
  const isChosen = action === facts.moves[move][1];
  item.className = isChosen ? 'chosen' : '';
  item.dataset.text = notation;
  const name = document.createElement('span');
  name.textContent = isChosen ? `\u2713 ${words}` : words;
  name.title = notation;
  item.append(name);
  if (value === undefined) return item;
  const number = document.createElement('span');
  number.className = 'number';
  number.textContent = writeNumber(value, facts.thoughts[move].of);
  const ground = document.createElement('div');
  ground.className = 'bar-ground';
  const bar = document.createElement('div');
  bar.style.width = `${100 * (most > least ? (value - least) / (most - least) : 0)}%`;
  ground.append(bar);
  item.append(number, ground);
  return item;
}

/* --- The curve ------------------------------------------------------------------------------------- */

/* The first positions of the rounds. */
const rounds = facts.rounds;

function showCurve() {
  const until = viewer === ALL ? LAST : move;
  const lines = facts.seats.map((_, seat) => {
    return Array.from({ length: until + 1 }, (_, position) => knownPoints(seat, position));
  });
  const told = lines.map((points, seat) => {
    const ends = rounds.slice(1).filter((start) => start <= until).map((start) => points[start]);
    return `${nameSeat(seat)}: ${[...ends, points[until]].join(', ')}`;
  });
  const words = `Points after each round, and ${until === LAST ? 'at the end' : 'now'}. ${told.join('. ')}`;
  const chart = drawChart(lines, move, LAST, rounds, words);
  chart.svg.addEventListener('click', (event) => goTo(chart.findMove(event.clientX)));
  find('curve').replaceChildren(chart.svg);
  find('curve-key').replaceChildren(...facts.seats.map((_, seat) => makeKey(seat, knownPoints(seat, move))));
}

function makeKey(seat, points) {
  const item = document.createElement('li');
  const number = document.createElement('b');
  number.textContent = points;
  const name = document.createElement('span');
  name.textContent = `${seat} ${nameEmpire(seat)}`;
  item.append(drawDash(seat), name, number);
  return item;
}

/* --- The list of moves ----------------------------------------------------------------------------- */

function makeList() {
  find('list').replaceChildren(...facts.moves.map((_, number) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = -1; // one of them is reached by Tab; the arrow keys lead on
    button.addEventListener('click', () => goTo(number));
    item.append(button);
    return item;
  }));
}

function showList() {
  const box = find('list-box');
  if (!box.open) return;
  if (!find('list').children.length) makeList();
  [...find('list').children].forEach((item, number) => {
    const button = item.firstChild;
    const text = `${number} ${tellMove(number)}`;
    if (button.textContent !== text) button.textContent = text;
    const isNow = number === move;
    button.tabIndex = isNow || (move === LAST && number === LAST - 1) ? 0 : -1;
    if (isNow) button.setAttribute('aria-current', 'step');
    else button.removeAttribute('aria-current');
  });
  const now = find('list').children[Math.min(move, LAST - 1)];
  const scroll = find('list-scroll');
  if (now) scroll.scrollTop = now.offsetTop - scroll.offsetTop - scroll.clientHeight / 2;
}

/* --- Going from one to the other -------------------------------------------------------------------- */

function show() {
  showTable();
  showMove();
  showLegal();
  showCurve();
  showList();
  for (const button of find('seats').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.viewer) === viewer));
  }
  find('back').disabled = find('first').disabled = move === 0;
  find('next').disabled = find('last').disabled = move === LAST;
  clearTimeout(noting); // browsers refuse addresses that change all the time
  noting = setTimeout(() => history.replaceState(null, '', writeAddress()), 150);
}

function goTo(number) {
  move = Math.min(LAST, Math.max(0, number));
  if (move === LAST) stopPlaying();
  show();
}

function seeAs(seat) {
  if (seat >= facts.seats.length) return;
  viewer = seat;
  show();
}

/* The first position of the next phase, or of this one, or of the one before. */
function goToPhase(by) {
  const starts = facts.phases.map((phase, at) => at).filter((at) => !at || facts.phases[at] !== facts.phases[at - 1]);
  if (by > 0) goTo(starts.find((at) => at > move) ?? LAST);
  else goTo(starts.filter((at) => at < move).pop() ?? 0);
}

function stopPlaying() {
  clearInterval(playing);
  playing = 0;
  find('play').textContent = 'Play';
}

function togglePlaying() {
  if (playing) {
    stopPlaying();
    return;
  }
  if (move === LAST) goTo(0);
  playing = setInterval(() => goTo(move + 1), PAUSE);
  find('play').textContent = 'Pause';
}

/* --- The address ------------------------------------------------------------------------------------ */

function writeAddress() {
  return viewer === ALL ? `#move=${move}` : `#move=${move}&seat=${viewer}`;
}

function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const seat = Number.parseInt(said.get('seat') ?? '', 10);
  viewer = seat >= 0 && seat < facts.seats.length ? seat : ALL;
  goTo(Number.parseInt(said.get('move') ?? '0', 10) || 0);
}

/* --- Keys and buttons -------------------------------------------------------------------------------- */

const KEYS = {
  ArrowLeft: () => goTo(move - 1),
  ArrowRight: () => goTo(move + 1),
  ArrowUp: () => goToPhase(-1),
  ArrowDown: () => goToPhase(1),
  PageUp: () => goToPhase(-1),
  PageDown: () => goToPhase(1),
  Home: () => goTo(0),
  End: () => goTo(LAST),
  Escape: () => seeAs(ALL),
  s: () => seeAs(ALL),
  ' ': togglePlaying,
};

function handleKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  if (event.key === ' ' && target.closest('button, summary, a')) return; // it presses what has the focus
  const isScroll = target.closest('.scroll') && !target.closest('button');
  if (isScroll && /^(Arrow(Up|Down)|Page|Home|End)/.test(event.key)) return; // it moves what has the focus
  const act = /^[0-9]$/.test(event.key) ? () => seeAs(Number(event.key)) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
  const inList = target.closest('#list') && find('list').querySelector('button[tabindex="0"]');
  if (inList) inList.focus();
}

function makeSeats() {
  const seats = facts.seats.map((_, seat) => [seat, `Seat ${seat}`, `${nameEmpire(seat)} (key ${seat})`, String(seat)]);
  const choices = [[ALL, facts.seats.length > 1 ? 'All seats' : 'All', 'All seats (key s)', 's'], ...seats];
  for (const [seat, text, title, key] of choices) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.title = title;
    button.dataset.viewer = seat;
    button.setAttribute('aria-keyshortcuts', key);
    button.addEventListener('click', () => seeAs(seat));
    find('seats').append(button);
  }
  find('seats').prepend('Seen by');
  find('seat-keys').textContent = facts.seats.map((_, seat) => seat).join(', ');
}

/* Where there is one column, the chart is in the way until it is asked for. */
function suitScreen() {
  find('curve-box').open = !narrow.matches;
}

function start() {
  startPage();
  makeSeats();
  suitScreen();
  find('slider').max = LAST;
  find('note').textContent = facts.note ? `The record notes: ${facts.note}` : '';
  find('first').addEventListener('click', () => goTo(0));
  find('back').addEventListener('click', () => goTo(move - 1));
  find('next').addEventListener('click', () => goTo(move + 1));
  find('last').addEventListener('click', () => goTo(LAST));
  find('play').addEventListener('click', togglePlaying);
  find('slider').addEventListener('input', () => goTo(Number(find('slider').value)));
  find('list-box').addEventListener('toggle', showList);
  document.addEventListener('keydown', handleKey);
  addEventListener('hashchange', readAddress);
  narrow.addEventListener('change', () => { suitScreen(); show(); });
  readAddress();
}

start();
