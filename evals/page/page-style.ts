/** Colours have the same meaning in light and dark; shapes repeat it for readers who cannot distinguish colours. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --paper: #f6f5f1; --card: #ffffff; --ink: #1c2430; --soft: #5d6675; --line: #e2e1da; --track: #eeede7;
  --blue: #2e66d6; --blue-soft: #a9c2f2; --amber: #c96f12; --teal: #0c8577; --violet: #7a4fd0; --good: #17774c; --bad: #bd3328; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #10131a; --card: #181d26; --ink: #e8eaf0; --soft: #9ba5b5; --line: #2b323f; --track: #232a35;
  --blue: #79a5ff; --blue-soft: #34538f; --amber: #f2a655; --teal: #4fc9b8; --violet: #b79bff; --good: #58cf97; --bad: #ff8a7d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; }
main { max-width: 1180px; margin: 0 auto; padding: 28px 20px 80px; }
header h1 { font-size: clamp(26px, 5vw, 36px); line-height: 1.15; letter-spacing: -.02em; margin: 0; text-wrap: balance; }
header p { margin: 6px 0 0; color: var(--soft); }
h2 { font-size: 21px; letter-spacing: -.01em; margin: 52px 0 4px; }
h2 + p { margin: 0 0 16px; color: var(--soft); max-width: 68ch; }
h3 { font-size: 15px; margin: 0 0 10px; } h3 small { font-weight: 400; color: var(--soft); }
.panel, .tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; min-width: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin-top: 22px; }
.tile b { display: block; font-size: 27px; line-height: 1.2; letter-spacing: -.02em; } .tile b small { font-size: 15px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.tile span { color: var(--soft); font-size: 13px; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 14px; align-items: start; }
.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 250px), 1fr)); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 12px; padding: 0; list-style: none; font-size: 13px; color: var(--soft); }
.legend li { display: inline-flex; align-items: center; gap: 6px; } .legend svg { width: 18px; height: 12px; flex: none; }
.bar { display: grid; grid-template-columns: minmax(120px, 34%) 1fr 46px; align-items: center; gap: 10px; min-height: 25px; }
.bar .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13.5px; } .bar .value { text-align: right; font-weight: 600; }
svg { display: block; overflow: visible; } svg text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
.track { fill: var(--track); } .now { fill: var(--blue); } .ink { stroke: var(--ink); fill: none; } .soft { stroke: var(--soft); } .grid { stroke: var(--line); }
.target { fill: var(--card); stroke: var(--ink); stroke-width: 1.6; } .reference { stroke: var(--amber); stroke-width: 2.5; } .edge { stroke: var(--card); stroke-width: 5.5; } .before { stroke: var(--ink); stroke-width: 1.5; }
.yes { fill: var(--blue); } .no { fill: var(--amber); } .curve { fill: none; stroke: var(--teal); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.dot { fill: var(--teal); } .hair { stroke-width: 1; stroke-dasharray: 3 3; } .search { fill: var(--blue); stroke: var(--blue); } .first { fill: var(--teal); stroke: var(--teal); } .whole { fill: var(--violet); stroke: var(--violet); }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; } th { font-weight: 500; color: var(--soft); font-size: 12px; text-align: right; padding: 0 0 4px; }
td { text-align: right; padding: 3px 0; border-top: 1px solid var(--line); white-space: nowrap; } th:first-child, td:first-child { text-align: left; white-space: normal; padding-right: 8px; }
td + td, th + th { padding-left: 9px; } td.now-cell { font-weight: 650; } td.was { color: var(--soft); } .up { color: var(--good); } .down { color: var(--bad); }
.reached { color: var(--good); } .missed { color: var(--bad); } .floor { background: color-mix(in srgb, var(--bad) 14%, transparent); }
details { margin-top: 10px; font-size: 13px; } summary { cursor: pointer; color: var(--soft); } details li { margin: 6px 0; overflow-wrap: anywhere; } details ol { padding-left: 20px; margin: 8px 0 0; } details .soft-text, .soft-text { color: var(--soft); }
.inset { margin-left: 30px; width: calc(100% - 30px); } .square { max-width: 270px; margin: 0 auto; } .square text { font-size: 5px; }
@media (max-width: 760px) { main { padding: 20px 14px 60px; } .two { grid-template-columns: 1fr; } h2 { margin-top: 40px; } .panel { padding: 14px; } .bar { grid-template-columns: 1fr 46px; gap: 0 10px; margin-bottom: 7px; } .bar .name { grid-column: 1 / -1; } }
@media print { body { background: #fff; } .panel { break-inside: avoid; } }
`
