/** The style of the report: that of comparisons, with rules for boards and bars. */
import { STYLE } from '../ui/page-style.js';

const LIGHT = `--win:#1f7a54;--draw:#b9b8b0;--loss:#b8452f;--white-wins:#7d9fc4;--black-wins:#35506e;
--square-light:#efe9dc;--square-dark:#b79f80`;
const DARK = `--win:#46b585;--draw:#5c5b55;--loss:#e0735a;--white-wins:#b9d2ee;--black-wins:#5f86b3;
--square-light:#d9d1c0;--square-dark:#94795a`;

export const REPORT_STYLE = `${STYLE}
:root{${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
a{color:inherit;text-underline-offset:2px}
th[data-sort]{cursor:pointer;user-select:none}
th[aria-sort]{color:var(--ink)}
th[aria-sort=ascending]::after{content:" ▲"}th[aria-sort=descending]::after{content:" ▼"}
.scroll th:first-child,.scroll td:first-child{position:sticky;left:0;background:var(--page);padding-right:14px}
th:nth-child(2)[data-sort=text],td.side,th.score{text-align:left}
.shares{display:flex;width:120px;height:12px;border-radius:3px;overflow:hidden;background:var(--line)}
.shares i{min-width:1px}
.win{background:var(--win)}.draw{background:var(--draw)}.loss{background:var(--loss)}
.cursed-win{background:repeating-linear-gradient(135deg,var(--win) 0 3px,var(--draw) 3px 6px)}
.blessed-loss{background:repeating-linear-gradient(135deg,var(--loss) 0 3px,var(--draw) 3px 6px)}
.legend .swatch{width:14px;height:14px;border-radius:3px}
details.ending{border-top:1px solid var(--line);margin-top:20px}
details.ending>summary{cursor:pointer;font-size:18px;font-weight:600;padding:12px 0}
details.ending>h3{margin:18px 0 8px}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(46%,220px),1fr));gap:12px}
figure:has(.board){padding:10px}
figure svg.board{max-width:300px;margin:0 auto 10px;border-radius:4px}
.board .light{fill:var(--square-light)}.board .dark{fill:var(--square-dark)}
.board .white{fill:#fff;stroke:#222;--inner:#222}.board .black{fill:#262626;stroke:#262626;--inner:#f1ede4}
.board use,.board g{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
symbol circle,.board circle{fill:inherit;stroke:inherit;stroke-width:inherit}
symbol .inner,.board .inner{fill:none;stroke:var(--inner)}symbol .dot{fill:var(--inner);stroke:none}
symbol .open{fill:none}
.symbols{position:absolute;width:0;height:0}
figcaption{font-size:13px}
figcaption code{display:block;margin:4px 0;font-size:12px;user-select:all}
figure details{font-size:13px}figure summary{cursor:pointer;color:var(--soft)}
figure .moves{overflow-wrap:anywhere}
.white-wins{fill:var(--white-wins)}.black-wins{fill:var(--black-wins)}
@media print{details.ending{break-inside:avoid}}
`;
