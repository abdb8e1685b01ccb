'use strict';
// Sorting, filtering, copying, the full numbers of cells and points, the choice of a cell, and parts that unfold. The page is whole without any of it.
(function () {
  const LONG = 15; // rows of a section from which it gets a filter

  function make(name, properties, parent) {
    const element = Object.assign(document.createElement(name), properties);
    if (parent) parent.append(element);
    return element;
  }

  // What a cell is sorted by: its number, or its text. Cells without either come last.
  function keyOf(cell) {
    const data = cell.querySelector('data');
    if (data) return data.value === '' ? null : Number(data.value);
    const text = cell.textContent.trim();
    return text === '' || text === '\u2013' ? null : text;
  }

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    const numbers = typeof a === 'number' && typeof b === 'number';
    return sign * (numbers ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));
  }

  function sort(table, head, column) {
    const ascending = head.getAttribute('aria-sort') !== 'ascending';
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, row => ({ row, key: keyOf(row.cells[column]) }));
    rows.sort((a, b) => compare(a.key, b.key, ascending ? 1 : -1));
    body.append(...rows.map(r => r.row));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
  }

  function makeSortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = make('button', { type: 'button', title: 'Sort by this column' });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => sort(table, head, column));
    });
  }

  // A box before `place`; `hide` shows or hides what its words are not in.
  function makeFilter(place, what, total, hide) {
    const box = make('p', { className: 'filter' });
    const label = make('label', { textContent: what + ' with ' }, box);
    const input = make('input', { type: 'search', autocomplete: 'off' }, label);
    const count = make('span', { role: 'status' }, box);
    place.before(box);
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const shown = hide(text => words.every(word => text.toLowerCase().includes(word)));
      count.textContent = words.length ? shown + ' of ' + total + ' ' + what.toLowerCase() : '';
    });
  }

  function hideAll(elements, textOf, matches) {
    let shown = 0;
    for (const element of elements) {
      element.hidden = !matches(textOf(element));
      shown += element.hidden ? 0 : 1;
    }
    return shown;
  }

  function captionOf(row) {
    const caption = row.closest('table').caption;
    return caption ? caption.textContent + ' ' : '';
  }

  function makeRowFilter(section, rows) {
    makeFilter(section.querySelector('.blocks'), 'Rows', rows.length, matches => {
      const shown = hideAll(rows, row => captionOf(row) + row.textContent, matches);
      for (const wide of section.querySelectorAll('.wide')) {
        wide.hidden = !wide.querySelector('tbody tr:not([hidden])');
      }
      return shown;
    });
  }

  // The row, the column and the number with all its digits, of the cell that has the focus.
  function describe(cell) {
    const row = cell.parentNode, table = cell.closest('table');
    const data = cell.querySelector('data');
    const head = table.tHead.rows[0].cells[cell.cellIndex].textContent;
    let text = row.cells[0].textContent + ', ' + head + ': ';
    if (!data || data.value === '') return text + cell.textContent;
    text += data.value;
    return data.dataset.se ? text + ', standard error ' + data.dataset.se : text;
  }

  // One stop of the tab key a table; arrow keys go from cell to cell.
  function makeTellable(wide) {
    const table = wide.querySelector('table');
    const body = table.tBodies[0];
    if (!body.rows.length || body.rows[0].cells.length < 2) return;
    const line = make('output', { className: 'details-line' });
    wide.after(line);
    let current = body.rows[0].cells[1];
    current.tabIndex = 0;
    function tell(cell) {
      current.tabIndex = -1;
      current = cell;
      cell.tabIndex = 0;
      line.textContent = describe(cell);
    }
    function neighbour(cell, key) {
      const rows = Array.from(body.rows).filter(row => !row.hidden);
      const at = rows.indexOf(cell.parentNode), column = cell.cellIndex;
      if (key === 'ArrowLeft' || key === 'ArrowRight') {
        const next = cell.parentNode.cells[column + (key === 'ArrowLeft' ? -1 : 1)];
        return next && next.tagName === 'TD' ? next : null;
      }
      const row = key === 'ArrowUp' ? rows[at - 1] : key === 'ArrowDown' ? rows[at + 1] : undefined;
      return row ? row.cells[column] : null;
    }
    body.addEventListener('focusin', event => {
      const cell = event.target.closest('td');
      if (cell) tell(cell);
    });
    body.addEventListener('pointerover', event => {
      const cell = event.target.closest('td');
      if (cell) line.textContent = describe(cell);
    });
    body.addEventListener('click', event => {
      const cell = event.target.closest('td');
      if (!cell) return;
      tell(cell);
      cell.focus();
    });
    body.addEventListener('keydown', event => {
      const cell = event.target.closest('td');
      const next = cell && neighbour(cell, event.key);
      if (!next) return;
      event.preventDefault();
      next.tabIndex = -1;
      next.focus();
    });
  }

  // ---------------------------------------------------------------- copies

  function makeCopy(parent, textOf) {
    if (!navigator.clipboard) return; // a page that came unencrypted
    const button = make('button', { type: 'button', className: 'unfold', textContent: 'Copy as CSV' }, parent);
    const said = make('span', { role: 'status' }, parent);
    button.addEventListener('click', () => navigator.clipboard.writeText(textOf())
      .then(() => { said.textContent = ' copied'; }, () => { said.textContent = ' not copied: the browser refuses'; }));
  }

  // A table as it stands, numbers with all their digits, an error in a column of its own.
  function csvOf(table) {
    const quote = text => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    const [first] = table.tBodies[0].rows;
    const hasError = column => first.cells[column].querySelector('[data-se]') !== null;
    const line = (row, textOf, errorOf) => Array.from(row.cells, (cell, column) =>
      quote(textOf(cell)) + (hasError(column) ? ',' + errorOf(cell) : '')).join(',');
    const data = cell => cell.querySelector('data') || { value: cell.textContent, dataset: {} };
    return [line(table.tHead.rows[0], head => head.textContent, () => 'SE'),
      ...Array.from(table.tBodies[0].rows, row => line(row, cell => data(cell).value, cell => data(cell).dataset.se || '')),
      ''].join('\n');
  }

  // ---------------------------------------------------------------- figures

  // One stop of the tab key a picture; arrow keys go from point to point, and the line below says what it is.
  function makePoints(plot) {
    const points = Array.from(plot.querySelectorAll('.point'));
    if (!points.length) return;
    plot.querySelector('svg').setAttribute('role', 'group');
    const line = make('output', { className: 'details-line' });
    plot.append(line);
    let current = points[0];
    function tell(point) {
      current.classList.remove('told');
      current.tabIndex = -1;
      current = point;
      current.tabIndex = 0;
      current.classList.add('told');
      line.textContent = current.querySelector('title').textContent;
    }
    for (const point of points) {
      const label = [point.querySelector('title'), ...point.querySelectorAll('text')];
      point.setAttribute('role', point.dataset.cell ? 'button' : 'img');
      point.setAttribute('aria-label', label.map(words => words.textContent).join(' '));
      point.addEventListener('focus', () => tell(point));
      point.addEventListener('pointerenter', () => tell(point));
    }
    current.tabIndex = 0;
    plot.addEventListener('keydown', event => {
      const point = event.target.closest('.point');
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = point && step && points[points.indexOf(point) + step];
      if (!next) return;
      event.preventDefault();
      next.tabIndex = 0;
      next.focus();
    });
  }

  // An entry of the legend switches what is drawn of its series.
  function makeKeys(plot) {
    if (plot.querySelector('.key')) plot.querySelector('svg').setAttribute('role', 'group');
    for (const key of plot.querySelectorAll('.key')) {
      const own = plot.querySelectorAll('[data-series="' + key.dataset.series + '"]');
      const turn = () => {
        const on = key.getAttribute('aria-pressed') !== 'true';
        key.setAttribute('aria-pressed', on);
        for (const part of own) part.classList.toggle('off', !on);
      };
      key.setAttribute('role', 'button');
      key.setAttribute('aria-pressed', 'true');
      key.tabIndex = 0;
      key.addEventListener('click', turn);
      key.addEventListener('keydown', event => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        turn();
      });
    }
  }

  // ---------------------------------------------------------------- cells

  // One cell of the sweep is shown: by a choice for each key, by a tile of a figure, or by the address.
  function makeCells(place) {
    const cells = Array.from(place.querySelectorAll('.cell'));
    const bar = make('p', { className: 'filter' });
    const selects = [], tiles = document.querySelectorAll('.point[data-cell]');
    const wordsOf = cell => Array.from(cell.querySelectorAll('[data-key]'), key => key.textContent);
    let shown = cells[0];
    function choose(cell) {
      shown = cell;
      for (const other of cells) other.hidden = other !== cell;
      cell.open = true;
      wordsOf(cell).forEach((word, i) => { selects[i].value = word; });
      for (const tile of tiles) tile.classList.toggle('chosen', 'cell-' + tile.dataset.cell === cell.id);
    }
    function chooseLinked(cell) {
      choose(cell);
      history.replaceState(null, '', '#' + cell.id);
    }
    // Of an incomplete sweep the cell that differs least.
    function chooseBy(changed) {
      const alike = cell => wordsOf(cell).filter((word, i) => word === selects[i].value).length;
      const all = cells.filter(cell => wordsOf(cell)[changed] === selects[changed].value);
      chooseLinked(all.reduce((best, cell) => alike(cell) > alike(best) ? cell : best));
    }
    cells[0].querySelectorAll('[data-key]').forEach((key, i) => {
      const label = make('label', { textContent: key.dataset.key + ' ' }, bar);
      const select = selects[i] = make('select', {}, label);
      for (const word of new Set(cells.map(cell => wordsOf(cell)[i])))
        make('option', { value: word, textContent: word.slice(key.dataset.key.length + 1) }, select);
      select.addEventListener('change', () => chooseBy(i));
    });
    for (const tile of tiles) {
      const follow = event => {
        if (event.key && event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        chooseLinked(document.getElementById('cell-' + tile.dataset.cell));
        place.scrollIntoView({ block: 'nearest' });
      };
      tile.addEventListener('click', follow);
      tile.addEventListener('keydown', follow);
    }
    makeCopy(bar, () => csvOf(shown.querySelector('table')));
    place.prepend(bar);
    choose(shown);
    return choose;
  }

  // ---------------------------------------------------------------- parts

  const parts = Array.from(document.querySelectorAll('details.part'));

  // What a link leads to is unfolded.
  function reveal() {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch (e) {
      return; // no address of this page
    }
    if (target && target.matches('.cell')) chooseCell(target);
    const part = target && target.closest('details.part');
    if (!part || part.open) return;
    part.open = true;
    target.scrollIntoView();
  }

  function makeUnfold() {
    const button = make('button', { type: 'button', className: 'unfold', textContent: 'Unfold all' });
    parts[0].before(button);
    button.addEventListener('click', () => {
      const open = !parts.every(part => part.open);
      for (const part of parts) part.open = open;
      button.textContent = open ? 'Fold all' : 'Unfold all';
    });
  }

  for (const table of document.querySelectorAll('.wide table')) makeSortable(table);
  for (const section of document.querySelectorAll('section')) {
    const rows = Array.from(section.querySelectorAll('.blocks tbody tr'));
    if (rows.length > LONG && section.id !== 'cells') makeRowFilter(section, rows);
  }
  for (const wide of document.querySelectorAll('.wide')) makeTellable(wide);
  for (const plot of document.querySelectorAll('.plot')) {
    makePoints(plot);
    makeKeys(plot);
  }
  for (const link of document.querySelectorAll('.downloads a[download$=".csv"]')) {
    makeCopy(link.parentNode, () => decodeURIComponent(link.href.slice(link.href.indexOf(',') + 1)));
  }
  const place = document.querySelector('.cells'), chooseCell = place && makeCells(place);
  if (parts.length) {
    makeUnfold();
    reveal();
    window.addEventListener('hashchange', reveal);
  }
  window.addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
