/** Script of the page: a click on a head sorts its table by the column, links to endings open them. */
export const PAGE_SCRIPT = `
for (const head of document.querySelectorAll('th[data-sort]')) {
  const sortRows = () => {
    const body = head.closest('table').tBodies[0];
    const column = head.cellIndex;
    const up = head.getAttribute('aria-sort') === 'descending';
    for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const of = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const order = (a, b) => head.dataset.sort === 'number' ? of(a) - of(b) : of(a).localeCompare(of(b));
    const rows = [...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a)));
    body.append(...rows);
  };
  head.tabIndex = 0;
  head.addEventListener('click', sortRows);
  head.addEventListener('keydown', ({ key }) => { if (key === 'Enter') sortRows(); });
}
const openAsked = () => {
  const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (asked instanceof HTMLDetailsElement) asked.open = true;
};
addEventListener('hashchange', openAsked);
openAsked();
`;
