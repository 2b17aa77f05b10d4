/** The style of the page: light or dark by the preference of the reader's system, light on paper. */
const LIGHT = `--page:#fcfcfb;--card:#ffffff;--ink:#1b1b19;--soft:#5c5b55;--line:#e3e2dc;--axis:#9a9990;
--sort:#1f6fc9;--paged:#c2501a;--bitboard:#0b7f5c;--alarm:#a31621`;
const DARK = `--page:#171716;--card:#1f1f1d;--ink:#f1f0ea;--soft:#b4b3aa;--line:#383732;--axis:#77766d;
--sort:#6aaefc;--paged:#f09060;--bitboard:#4cc79d;--alarm:#ff8a8a`;

export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1040px;margin:0 auto;padding:32px 20px 48px}
h1{font-size:26px;line-height:1.2;margin:0 0 6px}
h2{font-size:18px;margin:36px 0 10px}
h3{font-size:15px;margin:0 0 6px;display:flex;justify-content:space-between;gap:12px}
p{margin:6px 0;max-width:76ch}
code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.soft,.origin{color:var(--soft)}
.origin{font-weight:400;font-size:13px}
.alarm{color:var(--alarm);font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:8px 22px;margin:14px 0;padding:0;list-style:none}
.legend li{display:flex;align-items:center;gap:7px}
.key{width:28px;height:14px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr));gap:16px}
figure{margin:0;padding:14px 14px 8px;background:var(--card);border:1px solid var(--line);border-radius:8px}
figure svg{display:block;width:100%;height:auto}
.grid{stroke:var(--line)}.axis,.mark{stroke:var(--axis)}
.tick{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
polyline{fill:none;stroke-width:2.2;stroke:currentColor}
circle,polygon{fill:currentColor;stroke:var(--card);stroke-width:1.5}
.modelled polyline{stroke-dasharray:6 4}
.s-sort{color:var(--sort)}.s-paged{color:var(--paged)}.s-bitboard{color:var(--bitboard)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px 5px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600;vertical-align:bottom;white-space:normal}
th:first-child,td:first-child{text-align:left}
td.words{white-space:normal;text-align:left;color:var(--soft)}
td.best{font-weight:700}
ul{padding-left:20px;max-width:80ch}
@media print{
@page{size:A4 landscape;margin:12mm}
body{font-size:11px;background:#fff}main{max-width:none;padding:0}
figure,tr{break-inside:avoid}h2{break-after:avoid}
.charts{grid-template-columns:repeat(3,1fr)}.scroll{overflow:visible}table{font-size:9px}
}`;
