/**
 * Documents: headings, paragraphs, lists, tables of typed cells and figures. A document is printed as text or written as one HTML page
 * that needs nothing else, or as Markdown, without figures; a table also as CSV. A cell has a value for programs, by which a page sorts
 * too, and a text for people.
 */
import { csvText } from './csv.js';
import { visible } from './escaped.js';
import { histogram } from './histogram.js';
import { safe } from './safe-html.js';

type Value = string | number | null;

interface ShownCell {
  readonly value: Value;
  readonly text: string;
  /** What pages show in place of the text. */
  readonly html?: string;
  /** Of the page's style. */
  readonly class?: string;
  /** Printed with a star, and bold on pages. */
  readonly isBest?: boolean;
}

/** Text and numbers that need no other form stand as they are. */
export type Cell = Value | ShownCell;

export interface Column {
  readonly title: string;
  /** In CSV; else the title. */
  readonly name?: string;
  /** How readers of a page may sort by it. */
  readonly sort?: 'number' | 'text';
  readonly class?: string;
}

export interface Table {
  readonly columns: readonly (string | Column)[];
  readonly rows: readonly (readonly Cell[])[];
}

export type Block =
  | {
      readonly kind: 'heading';
      readonly level: 1 | 2 | 3;
      readonly text: string;
      readonly note: string | undefined;
    }
  | {
      readonly kind: 'paragraph';
      readonly text: string;
      readonly tone: 'soft' | 'alarm' | undefined;
      readonly mark: string | undefined;
    }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly table: Table }
  /** Counts by whole numbers, ascending, as bars of text under a line that names them. */
  | {
      readonly kind: 'bars';
      readonly title: string;
      readonly unit: string;
      readonly counts: readonly (readonly [at: number, count: number])[];
    }
  /** Pictures, which pages alone show. */
  | { readonly kind: 'figures'; readonly class: 'charts' | 'boards'; readonly figures: readonly string[] }
  | { readonly kind: 'html'; readonly html: string };

export const heading = (level: 1 | 2 | 3, text: string, note?: string): Block => ({
  kind: 'heading',
  level,
  text,
  note,
});
/** @param mark is printed before the text, where no colour shows its tone. */
export const paragraph = (text: string, tone?: 'soft' | 'alarm', mark?: string): Block => ({
  kind: 'paragraph',
  text,
  tone,
  mark,
});

const columnOf = (column: string | Column): Column =>
  typeof column === 'string' ? { title: column } : column;

function shownCell(cell: Cell): ShownCell {
  if (cell !== null && typeof cell === 'object') return cell;
  return { value: cell, text: cell === null ? '' : String(cell) };
}

/** Aligned columns: the first to the left, the others to the right. */
export function tableText({ columns, rows }: Table): string {
  const head = columns.map((column) => columnOf(column).title);
  const body = rows.map((row) =>
    row.map(shownCell).map(({ text, isBest }) => visible(isBest ? `* ${text}` : text)),
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((row) => row[column].length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  return `${[line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n')}\n`;
}

export function tableCsv({ columns, rows }: Table): string {
  return csvText(
    columns.map(columnOf).map(({ title, name = title }) => name),
    rows.map((row) => row.map((cell) => shownCell(cell).value)),
  );
}

function tableHtml({ columns, rows }: Table): string {
  const attribute = (name: string, value: Value | undefined) =>
    value === undefined || value === null ? '' : ` ${name}="${safe(String(value))}"`;
  const all = columns.map(columnOf);
  const head = all.map(
    ({ title, sort, class: of }) =>
      `<th${attribute('data-sort', sort)}${attribute('class', of)}>${safe(title)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map(shownCell).map(({ value, text, html = safe(text), class: of, isBest }, i) => {
      const sorted = all[i].sort === 'number' ? value : undefined;
      const style = attribute('class', isBest ? 'best' : of);
      return `<td${attribute('data-value', sorted)}${style}>${html}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.text}${block.note === undefined ? '' : ` (${block.note})`}${block.level === 1 ? '' : ':'}\n`;
    case 'paragraph':
      return `${block.mark ?? ''}${block.text}\n`;
    case 'list':
      return block.items.map((item) => `- ${item}\n`).join('');
    case 'table':
      return tableText(block.table);
    case 'bars':
      return block.counts.length === 0 ? '' : `${block.title}:\n${histogram(block.counts, block.unit)}`;
    default:
      return '';
  }
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const note = block.note === undefined ? '' : ` <span class="origin">${safe(block.note)}</span>`;
      return `<h${block.level}>${safe(block.text)}${note}</h${block.level}>`;
    }
    case 'paragraph':
      return `<p${block.tone === undefined ? '' : ` class="${block.tone}"`}>${safe(block.text)}</p>`;
    case 'command':
      return `<p class="soft">Made by <code>${safe(block.text)}</code></p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${safe(item)}</li>`).join('')}</ul>`;
    case 'table':
      return tableHtml(block.table);
    case 'bars':
      return `<figure><figcaption>${safe(block.title)}</figcaption><pre>${safe(histogram(block.counts, block.unit))}</pre></figure>`;
    case 'figures':
      return `<div class="${block.class}">${block.figures.join('\n')}</div>`;
    case 'html':
      return block.html;
  }
}

/** Blocks with a line between them. */
const spaced = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');

export const documentText = (blocks: readonly Block[]): string => spaced(blocks.map(blockText));

export const documentMarkdown = (blocks: readonly Block[]): string => spaced(blocks.map(blockMarkdown));

function tableMarkdown({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;
  const titles = columns.map((column) => columnOf(column).title);
  return [
    line(titles),
    `|${'---|'.repeat(titles.length)}\n`,
    ...rows.map((row) => line(row.map(shownCell).map(({ text, isBest }) => (isBest ? `**${text}**` : text)))),
  ].join('');
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}${block.note === undefined ? '' : ` (${block.note})`}\n`;
    case 'command':
      return `\`\`\`sh\n${block.text}\n\`\`\`\n`;
    case 'table':
      return tableMarkdown(block.table);
    default:
      return blockText(block);
  }
}

const blocksHtml = (blocks: readonly Block[]): string => blocks.map(blockHtml).join('\n');

/** @param symbols of pictures, and `script`, both as HTML has them. */
export function documentHtml(
  title: string,
  blocks: readonly Block[],
  {
    style,
    symbols = '',
    script,
  }: { readonly style: string; readonly symbols?: string; readonly script?: string },
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${safe(title)}</title><style>${style}</style></head>
<body>${symbols}<main>
${blocksHtml(blocks)}
</main>${script === undefined ? '' : `<script>${script}</script>`}</body></html>
`;
}
