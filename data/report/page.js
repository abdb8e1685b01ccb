'use strict';
// Sorting, filtering and the full numbers of cells. The page is whole without any of it.
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

  function makeFilter(section, rows) {
    const box = make('p', { className: 'filter' });
    const label = make('label', { textContent: 'Rows with ' }, box);
    const input = make('input', { type: 'search', autocomplete: 'off' }, label);
    const count = make('span', { role: 'status' }, box);
    section.querySelector('.blocks').before(box);
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const block = row.closest('table').caption.textContent;
        const text = (block + ' ' + row.textContent).toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      for (const wide of section.querySelectorAll('.wide')) {
        wide.hidden = !wide.querySelector('tbody tr:not([hidden])');
      }
      count.textContent = words.length ? shown + ' of ' + rows.length + ' rows' : '';
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

  for (const table of document.querySelectorAll('.wide table')) makeSortable(table);
  for (const section of document.querySelectorAll('section')) {
    const rows = Array.from(section.querySelectorAll('.blocks tbody tr'));
    if (rows.length > LONG) makeFilter(section, rows);
  }
  for (const wide of document.querySelectorAll('.wide')) makeTellable(wide);
  window.addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
