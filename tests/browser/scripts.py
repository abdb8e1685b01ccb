"""What is asked of a page from inside it: expressions that give a list of faults unless said otherwise."""

# Ids are there once, and every link within the page leads somewhere.
ANCHORS = r"""(() => {
  const faults = [], seen = new Set();
  for (const element of document.querySelectorAll('[id]')) {
    if (seen.has(element.id)) faults.push('two elements are called ' + element.id);
    seen.add(element.id);
  }
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    const id = decodeURIComponent(link.getAttribute('href').slice(1));
    if (!document.getElementById(id)) faults.push('no #' + id);
  }
  for (const section of document.querySelectorAll('main section, figure')) {
    const part = section.closest('details.part') || section.parentElement.closest('section') || section;
    if (!document.querySelector('nav a[href="#' + CSS.escape(part.id) + '"]') && !section.closest('#figures'))
      faults.push('the contents lack ' + section.id);
  }
  for (const link of document.querySelectorAll('a[href]')) {
    if (!/^(#|data:)/.test(link.getAttribute('href'))) faults.push('leads away: ' + link.href);
  }
  return faults;
})()"""

# WCAG's ratio of every text that can be seen to what lies behind it.
CONTRAST = r"""(() => {
  const faults = new Set();
  const parse = text => {
    const n = (text.match(/[\d.]+/g) || []).map(Number);
    return n.length < 3 ? null : { rgb: n.slice(0, 3), alpha: n.length > 3 ? n[3] : 1 };
  };
  const over = (top, below) => top.rgb.map((x, i) => x * top.alpha + below[i] * (1 - top.alpha));
  const light = rgb => {
    const [r, g, b] = rgb.map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const canvas = isDark ? [18, 18, 18] : [255, 255, 255];
  const opacity = element => {
    let all = 1;
    for (let e = element; e; e = e.parentElement) all *= Number(getComputedStyle(e).opacity);
    return all;
  };
  function behind(element) { // of HTML: the nearest backgrounds, from the outside in
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.unshift(parse(getComputedStyle(e).backgroundColor));
    return layers.filter(Boolean).reduce((below, layer) => over(layer, below), canvas);
  }
  function behindInPicture(text) { // the filled shapes drawn before it that lie under its middle
    const box = text.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    let colour = behind(text.ownerSVGElement);
    for (const shape of text.ownerSVGElement.querySelectorAll('rect, circle, path, polygon')) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
      const style = getComputedStyle(shape), fill = parse(style.fill);
      if (style.fill === 'none' || !fill || shape.closest('defs, clipPath')) continue;
      const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (!shape.isPointInFill(at)) continue;
      fill.alpha *= Number(style.fillOpacity) * Number(style.opacity);
      colour = over(fill, colour);
    }
    return colour;
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const done = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || done.has(element)) continue;
    done.add(element);
    if (element.closest('script, style, title, desc, .same, .skip, [hidden]')) continue;
    if (!element.getClientRects().length) continue;
    const picture = element.closest('svg'), style = getComputedStyle(element);
    const below = picture ? behindInPicture(element.closest('text')) : behind(element);
    const own = parse(picture ? style.fill : style.color);
    own.alpha *= picture ? Number(style.fillOpacity) * opacity(element) : opacity(element);
    const found = ratio(over(own, below), below);
    if (found < 4.5) faults.add('contrast ' + found.toFixed(2) + ' of "' +
                                walker.currentNode.textContent.trim().slice(0, 40) + '"');
  }
  return [...faults].slice(0, 10);
})()"""

# A number stands on one line; on a screen (%s is its error) with its error.
BROKEN = r"""(() => {
  const faults = [], range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!element.getClientRects().length || element.closest('script, style, svg, .same, .prompt, .texts')) continue;
    for (const number of node.data.matchAll(/[\u2212+-]?\d+[.,]\d+%s/g)) {
      range.setStart(node, number.index);
      range.setEnd(node, number.index + number[0].length);
      const lines = new Set(Array.from(range.getClientRects(), box => Math.round(box.top)));
      if (lines.size > 1) faults.push('broken over lines: ' + number[0]);
    }
  }
  return faults.slice(0, 5);
})()"""
BROKEN_NUMBERS, BROKEN_ON_PAPER = BROKEN % r"(\s\u00b1\s[\d.]+)?", BROKEN % ""

# What a cell says stays within it.
SPILT = r"""(() => Array.from(document.querySelectorAll('th, td'))
  .filter(cell => cell.scrollWidth > cell.clientWidth + 1)
  .map(cell => 'spills over its cell: ' + cell.textContent.slice(0, 40)).slice(0, 5))()"""

# Texts of a picture lie within it and not on one another. Two that slant alike are held side by side in the frame
# that is turned with them: the boxes around them overlap where they do not.
FIGURE_TEXTS = r"""(() => {
  const faults = [];
  for (const svg of document.querySelectorAll('figure svg')) {
    const name = svg.closest('figure').id, frame = svg.getBoundingClientRect();
    const texts = Array.from(svg.querySelectorAll('text')).filter(t => t.textContent.trim());
    const boxes = texts.map(text => text.getBoundingClientRect());
    const scale = frame.width / svg.viewBox.baseVal.width, slack = 1.5 * scale;
    const turns = texts.map(t => parseFloat((t.getAttribute('transform') || 'rotate(0').split('(')[1]));
    const turned = texts.map((t, i) => {
      if (turns[i] === 0) return boxes[i];
      const box = t.getBBox(), turn = turns[i] * Math.PI / 180, x = +t.getAttribute('x'), y = +t.getAttribute('y');
      const u = x * Math.cos(turn) + y * Math.sin(turn), v = y * Math.cos(turn) - x * Math.sin(turn);
      return new DOMRect((u + box.x - x) * scale, (v + box.y - y) * scale, box.width * scale, box.height * scale);
    });
    boxes.forEach((a, i) => {
      const words = '"' + texts[i].textContent.trim().slice(0, 30) + '"';
      if (a.left < frame.left - slack || a.right > frame.right + slack || a.top < frame.top - slack ||
          a.bottom > frame.bottom + slack) faults.push(name + ': ' + words + ' is cut');
      for (let j = 0; j < i; j++) {
        const alike = turns[i] === turns[j], b = (alike ? turned : boxes)[j];
        a = (alike ? turned : boxes)[i];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A line of text is taller than its letters by about a third.
        if (wide > slack && high > .34 * Math.min(a.height, b.height))
          faults.push(name + ': ' + words + ' lies on "' + texts[j].textContent.trim().slice(0, 30) + '"');
      }
    });
  }
  return faults.slice(0, 12);
})()"""

# What can be operated or is a region has a name; pictures have words; tables have captions and scopes.
NAMES = r"""(() => {
  const faults = [], named = e => (e.getAttribute('aria-label') || e.textContent).trim() !== '';
  for (const e of document.querySelectorAll('a, button, [role=region], summary'))
    if (!named(e)) faults.push('a ' + e.tagName + ' without a name');
  for (const svg of document.querySelectorAll('figure svg'))
    if (!/^(img|group)$/.test(svg.getAttribute('role')) || !svg.querySelector('title') || !svg.querySelector('desc'))
      faults.push(svg.closest('figure').id + ' has no words for who cannot see it');
  for (const table of document.querySelectorAll('table'))
    if (!table.caption || !table.caption.textContent.trim()) faults.push('a table without a caption');
  for (const th of document.querySelectorAll('th'))
    if (!/^(col|row)$/.test(th.scope)) faults.push('a head without a scope: ' + th.textContent);
  if (document.querySelectorAll('h1').length !== 1) faults.push('not one h1');
  return faults.slice(0, 5);
})()"""

# After a jump to it, nothing lies on the beginning of %s (false where all is well).
COVERED = r"""(() => {
  const target = document.getElementById(%s), first = target.querySelector('h2, h3, figcaption') || target;
  const box = (target.tagName === 'FIGURE' ? target : first).getBoundingClientRect();
  if (box.top < 0 || box.top > innerHeight) return target.id + ' is not in view after a jump';
  const seen = document.elementFromPoint(box.left + 5, box.top + 5);
  return !target.contains(seen) && target.id + ' is covered after a jump';
})()"""

# Every column of every table sorts both ways, by numbers where it has them, and keeps its rows.
SORTING = r"""(() => {
  const faults = [];
  for (const table of document.querySelectorAll('.wide table')) {
    const before = Array.from(table.tBodies[0].rows, r => r.textContent).sort().join();
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      for (const order of ['ascending', 'descending']) {
        head.querySelector('button').click();
        const where = table.caption.textContent.slice(0, 40) + ', ' + head.textContent + ', ' + order;
        if (head.getAttribute('aria-sort') !== order) faults.push('says not ' + where);
        const numbers = Array.from(table.tBodies[0].rows, r => r.cells[column].querySelector('data'))
          .filter(data => data && data.value !== '').map(data => Number(data.value));
        const sign = order === 'ascending' ? 1 : -1;
        for (let i = 1; i < numbers.length; i++)
          if (sign * (numbers[i] - numbers[i - 1]) < 0) { faults.push('not sorted: ' + where); break; }
      }
    });
    if (Array.from(table.tBodies[0].rows, r => r.textContent).sort().join() !== before)
      faults.push('rows are lost');
    if (table.querySelectorAll('[aria-sort]').length !== 1) faults.push('sorted by more than one');
  }
  return faults.slice(0, 5);
})()"""

# A filter leaves the rows that have the words, and lets the others come back.
FILTERING = r"""(() => {
  const faults = [], boxes = document.querySelectorAll('.filter input');
  for (const box of boxes) {
    const section = box.closest('section'), rows = Array.from(section.querySelectorAll('.blocks tbody tr'));
    const type = text => { box.value = text; box.dispatchEvent(new Event('input')); };
    const word = rows[0].cells[0].textContent.trim();
    type(word);
    const shown = rows.filter(row => row.getClientRects().length);
    if (!shown.length || shown.length === rows.length && rows.some(r => !r.textContent.includes(word)))
      faults.push(section.id + ' is not filtered by ' + word);
    type('nothing has these words');
    if (rows.some(row => row.getClientRects().length)) faults.push(section.id + ': rows stay');
    type('');
    if (rows.some(row => !row.getClientRects().length)) faults.push(section.id + ': rows do not come back');
  }
  return faults;
})()"""

# A cell tells all its digits, by click and by arrow keys.
DETAILS = r"""(() => {
  const faults = [], wide = document.querySelector('.wide:has(td + td data[data-se])'), line = wide.nextElementSibling;
  // One that has a number on its left.
  const cell = Array.from(wide.querySelectorAll('tbody td')).find(td => td.querySelector('data[data-se]') && td.previousElementSibling.tagName === 'TD');
  const data = cell.querySelector('data');
  cell.click();
  if (!line.textContent.includes(data.value) || !line.textContent.includes(data.dataset.se))
    faults.push('a cell does not tell ' + data.value);
  if (document.activeElement !== cell) faults.push('a cell does not take the focus');
  cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  if (document.activeElement !== cell.previousElementSibling) faults.push('an arrow key does not move');
  for (const table of document.querySelectorAll('.wide table'))
    if (table.querySelectorAll('td[tabindex="0"]').length > 1) faults.push('many stops in one table');
  return faults;
})()"""

# The first column stays in view while a table is moved sideways.
STICKY = r"""(() => {
  const faults = [];
  for (const wide of document.querySelectorAll('.wide')) {
    if (wide.scrollWidth <= wide.clientWidth) continue;
    wide.scrollLeft = wide.scrollWidth;
    const left = wide.getBoundingClientRect().left;
    const first = wide.querySelector('tbody tr').cells[0].getBoundingClientRect();
    if (Math.abs(first.left - left) > 1) faults.push('the first column of "' +
      wide.getAttribute('aria-label').slice(0, 40) + '" leaves the view');
    if (first.width > wide.clientWidth * .75) faults.push('the first column takes the view');
    wide.scrollLeft = 0;
  }
  return faults.slice(0, 5);
})()"""

# On paper no table, picture or text goes beyond the edge.
CUT_OFF = r"""(() => Array.from(document.querySelectorAll('table, svg, p, li, h2'))
  .filter(e => e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => 'cut off on paper: ' + e.tagName + ' of ' + (e.closest('section') || document.body).id)
  .slice(0, 5))()"""

# No text on paper is smaller than 7 pt, and no part is folded.
SMALL = r"""(() => {
  const faults = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, picture = element.closest('svg');
    if (!walker.currentNode.textContent.trim() || !element.getClientRects().length) continue;
    if (element.closest('script, style, title, desc, .same')) continue;
    const at = picture ? element.getScreenCTM() : { a: 1, b: 0 };
    const size = .75 * parseFloat(getComputedStyle(element).fontSize) * Math.hypot(at.a, at.b);
    if (size < 6.95) faults.add(size.toFixed(1) + ' pt in ' + (element.closest('figure, section, details') || element).id);
  }
  return [...faults].slice(0, 5);
})()"""

# How many figures take more than half a page, before which a page may end early.
HIGH = r"""Array.from(document.querySelectorAll('figure')).filter(f => f.getBoundingClientRect().height > 1046 / 2).length"""

# One cell of the sweep is shown: chosen by lists, by a tile's click and key, and by the address, which keeps the choice.
CELLS = r"""(async () => {
  const faults = [], cells = Array.from(document.querySelectorAll('.cell'));
  if (!cells.length) return faults;
  const shown = () => cells.filter(cell => cell.getClientRects().length);
  const expect = (id, how) => {
    if (shown().length !== 1 || shown()[0].id !== id || !shown()[0].open) faults.push(how + ' does not show ' + id);
    if (location.hash !== '#' + id) faults.push(how + ' does not keep ' + id + ' in the address');
  };
  if (shown().length !== 1) faults.push(shown().length + ' cells are shown');
  const words = cell => Array.from(cell.querySelectorAll('[data-key]'), key => key.textContent);
  const selects = document.querySelectorAll('.cells select');
  if (selects.length !== words(cells[0]).length) faults.push('not one list a key');
  selects.forEach((select, i) => {
    select.selectedIndex = select.options.length - 1;
    select.dispatchEvent(new Event('change'));
    if (words(shown()[0])[i] !== select.value) faults.push('a list does not choose ' + select.value);
  });
  expect(cells[cells.length - 1].id, 'a list');
  const tiles = Array.from(document.querySelectorAll('.point[data-cell]'));
  if (!tiles.length) faults.push('no tile leads to a cell');
  for (const tile of tiles) {
    const cell = document.getElementById('cell-' + tile.dataset.cell), title = tile.querySelector('title').textContent;
    tile.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(cell.id, 'a click on a tile');
    const values = words(cell).map(word => word.split(' ').pop());
    if (values.some(value => !title.includes(value))) faults.push(title + ' leads to ' + words(cell).join());
    const best = Array.from(cell.querySelectorAll('tbody tr')).find(row => row.lastChild.textContent === 'best').cells[0].textContent;
    if (tile.closest('figure').id === 'figure-winners' && !title.includes(best)) faults.push(title + ' is not won by ' + best);
  }
  tiles[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  expect('cell-' + tiles[0].dataset.cell, 'Enter on a tile');
  location.hash = '#' + cells[1].id;
  await new Promise(done => setTimeout(done, 100));
  expect(cells[1].id, 'the address');
  return faults.slice(0, 5);
})()"""

# What a button copies is what its link saves; of a cell, its rows with all their digits.
COPIES = r"""(async () => {
  const faults = [];
  let copied = '';
  navigator.clipboard.writeText = text => { copied = text; return Promise.resolve(); };
  const click = button => { copied = ''; button.click(); };
  for (const link of document.querySelectorAll('.downloads a[download$=".csv"]')) {
    click(link.parentNode.querySelector('button'));
    if (copied !== decodeURIComponent(link.href.split(/,(.*)/s)[1])) faults.push(link.download + ' is copied otherwise');
  }
  const button = document.querySelector('.cells .filter button');
  if (!button) return faults;
  click(button);
  const table = document.querySelector('.cell:not([hidden]) table'), lines = copied.trim().split('\n');
  if (lines.length !== table.rows.length) faults.push('a cell is copied in ' + lines.length + ' lines');
  for (const data of table.querySelectorAll('data'))
    if (!copied.includes(data.value) || !copied.includes(data.dataset.se || '')) faults.push('not copied: ' + data.value);
  return faults.slice(0, 5);
})()"""

# Without a script: controls, rows, and rows that cannot be seen.
PLAIN = r"""[document.querySelectorAll('button, input').length, document.querySelectorAll('tbody tr').length,
  Array.from(document.querySelectorAll('tbody tr')).filter(row => !row.getClientRects().length).length]"""

# Nothing of the data has become an element, an attribute or a script.
INERT = r"""(() => {
  const faults = [];
  if ('hostile' in window) faults.push('a script of the data has run: ' + window.hostile);
  if (document.scripts.length !== 1) faults.push(document.scripts.length + ' scripts');
  if (document.querySelectorAll('style').length !== 1) faults.push('styles');
  for (const e of document.querySelectorAll('img, iframe, object, embed, link, base, form, audio, video'))
    faults.push('an element ' + e.tagName);
  for (const e of document.querySelectorAll('*')) for (const a of e.attributes)
    if (/^on|^style$/.test(a.name)) faults.push('an attribute ' + a.name + ' of ' + e.tagName);
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent))
    faults.push('a character that steers');
  return faults.slice(0, 5);
})()"""

# With its parts folded the page answers on its first screen: the words of the answer, and no more than so many pixels in all.
FIRST_SCREEN = r"""(() => {
  const faults = [], answer = document.querySelector('#findings .verdict');
  if (!document.querySelector('details.part')) return faults;
  if (!answer || answer.textContent.trim().length < 20) faults.push('there is no answer');
  else if (answer.getBoundingClientRect().bottom > innerHeight) faults.push('the answer is not on the first screen');
  const rests = document.querySelector('#findings .rests');
  if (!rests || rests.getBoundingClientRect().bottom > innerHeight + 200) faults.push('what it rests on is far');
  const height = document.documentElement.scrollHeight;
  if (innerWidth > 1000 && height > 4000) faults.push('folded it is ' + height + ' pixels long');
  return faults;
})()"""

UNFOLD = "document.querySelectorAll('details').forEach(details => { details.open = true; })"

# The points of a picture can be reached by keys and say their numbers; an entry of the legend switches its series off and on.
POINTS = r"""(() => {
  const faults = [];
  for (const plot of document.querySelectorAll('.plot')) {
    const points = Array.from(plot.querySelectorAll('.point'));
    if (!points.length || !plot.getClientRects().length) continue;
    const name = plot.closest('figure').id, line = plot.querySelector('.details-line');
    if (plot.querySelectorAll('.point[tabindex="0"]').length !== 1) faults.push(name + ' has not one stop for points');
    points[0].focus();
    points[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    const told = points[Math.min(1, points.length - 1)];
    if (line.textContent !== told.querySelector('title').textContent) faults.push(name + ' does not tell a point');
    const key = plot.querySelector('.key');
    if (!key) continue;
    const drawn = plot.querySelector('[data-series="' + key.dataset.series + '"]:not(.key)');
    key.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    if (drawn && !drawn.classList.contains('off')) faults.push(name + ': the legend does not switch off');
    key.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    if (drawn && drawn.classList.contains('off')) faults.push(name + ': the legend does not switch on');
  }
  return faults.slice(0, 5);
})()"""

# What axe-core finds, in a world of its own: the page's policy stays in force.
AXE = r"""axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations
  .filter(v => v.impact === 'serious' || v.impact === 'critical')
  .map(v => 'axe: ' + v.id + ', ' + v.nodes.length + ' times, first ' + v.nodes[0].html.slice(0, 120)).slice(0, 8))"""

