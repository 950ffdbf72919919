/* The curve of points over moves: a line for each seat, told apart by its dashes and its number too. */

const CHART = { width: 340, height: 178, left: 26, right: 18, top: 18, bottom: 14 };
const APART = 12; // between two numbers that are read
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 3', '4 2', '1 2'];

function svgElement(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/* Where a move and a number of points lie in the chart. */
function makeScale(moves, most) {
  const wide = CHART.width - CHART.left - CHART.right;
  const high = CHART.height - CHART.top - CHART.bottom;
  return {
    x: (move) => CHART.left + wide * (moves ? move / moves : 0),
    y: (points) => CHART.top + high * (1 - points / most),
    move: (x) => Math.min(moves, Math.max(0, Math.round((x - CHART.left) / wide * moves))),
  };
}

/* A step of 5, 10, 20 ... that gives at most five lines. */
function chooseStep(most) {
  for (let step = 5; ; step *= 2) if (most / step <= 5) return step;
}

function drawGrid(svg, scale, most, rounds, moves) {
  const step = chooseStep(most);
  const marks = [most]; // the most that anybody has, and round numbers below it
  for (let points = 0; points < most; points += step) if (scale.y(points) - scale.y(most) >= APART) marks.push(points);
  for (const points of marks) {
    const y = scale.y(points);
    svg.append(svgElement('line', { x1: CHART.left, x2: CHART.width - CHART.right, y1: y, y2: y, stroke: 'var(--line)' }));
    svg.append(svgElement('text', { x: CHART.left - 6, y: y + 4, 'text-anchor': 'end', fill: 'var(--muted)' }, points));
  }
  rounds.forEach((start, number) => {
    const x = scale.x(start);
    const end = number + 1 < rounds.length ? rounds[number + 1] : moves;
    svg.append(svgElement('line', { x1: x, x2: x, y1: CHART.top, y2: CHART.height - CHART.bottom, stroke: 'var(--line)' }));
    const middle = (x + scale.x(end)) / 2;
    svg.append(svgElement('text', { x: middle, y: 12, 'text-anchor': 'middle', fill: 'var(--muted)' }, `round ${number + 1}`));
  });
}

/* The line of a seat: flat until its points change. */
function drawLine(svg, scale, seat, points) {
  let path = '';
  points.forEach((value, move) => {
    if (!move) path = `M${scale.x(0)} ${scale.y(value)}`;
    else if (value !== points[move - 1] || move === points.length - 1) {
      path += `H${scale.x(move).toFixed(1)}V${scale.y(value).toFixed(1)}`;
    }
  });
  const line = { d: path, fill: 'none', stroke: `var(--seat${seat})`, 'stroke-width': 2, 'stroke-dasharray': DASHES[seat] };
  svg.append(svgElement('path', line));
}

/* The numbers of the seats where their lines end, moved apart where they would lie on each other. */
function drawLabels(svg, scale, lines) {
  const labels = lines.map((points, seat) => ({ seat, x: scale.x(points.length - 1) + 4, y: scale.y(points.at(-1)) + 4 }));
  labels.sort((one, other) => other.y - one.y);
  labels.forEach((label, number) => {
    if (number) label.y = Math.min(label.y, labels[number - 1].y - APART);
    const { x, y, seat } = label;
    svg.append(svgElement('text', { x, y, fill: `var(--seat${seat})`, 'font-weight': 700 }, seat));
  });
}

/* The chart; `lines` holds the points of each seat by move, as far as they are known. */
function drawChart(lines, now, moves, rounds, words) {
  const most = Math.max(5, ...lines.map((points) => Math.max(...points)));
  const scale = makeScale(moves, most);
  const svg = svgElement('svg', {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: 'img', 'aria-label': words, 'font-size': 12,
  });
  drawGrid(svg, scale, most, rounds, moves);
  lines.forEach((points, seat) => drawLine(svg, scale, seat, points));
  drawLabels(svg, scale, lines);
  const x = scale.x(now);
  const cursor = { x1: x, x2: x, y1: CHART.top, y2: CHART.height - CHART.bottom, stroke: 'var(--accent)', 'stroke-width': 2 };
  svg.append(svgElement('line', cursor));
  const foot = CHART.height - CHART.bottom; // below the lines, where nothing is written
  svg.append(svgElement('path', { class: 'marker', d: `M${x - 5} ${foot + 9}h10l-5 -9z`, fill: 'var(--accent)' }));
  return { svg, findMove: (clientX) => {
    const box = svg.getBoundingClientRect();
    return scale.move((clientX - box.left) / box.width * CHART.width);
  } };
}

/* A seat's dash and colour, for the key below the chart. */
function drawDash(seat) {
  const svg = svgElement('svg', { viewBox: '0 0 28 10', 'aria-hidden': 'true' });
  const line = { x1: 0, x2: 28, y1: 5, y2: 5, stroke: `var(--seat${seat})`, 'stroke-width': 3, 'stroke-dasharray': DASHES[seat] };
  svg.append(svgElement('line', line));
  return svg;
}
