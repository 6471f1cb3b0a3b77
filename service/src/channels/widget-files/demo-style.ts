/** The style of the demo page, a page of documentation as generators make them. A file of its own: the page forbids inline styles. */
export const DEMO_STYLE = `
:root { color-scheme: light dark; --bg: #fbfcfc; --surface: #ffffff; --sunken: #f1f4f4; --text: #16201f; --text2: #50605d;
  --line: #d9e0df; --accent: #0b6e69; --on-accent: #ffffff; --mark: #e3f2f1; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --bg: #101514; --surface: #161d1c; --sunken: #0c1110; --text: #e8eeed;
  --text2: #a5b2b0; --line: #2b3735; --accent: #5cc9c1; --on-accent: #04211f; --mark: #17302e; } }
:root[data-theme=dark] { color-scheme: dark; --bg: #101514; --surface: #161d1c; --sunken: #0c1110; --text: #e8eeed; --text2: #a5b2b0;
  --line: #2b3735; --accent: #5cc9c1; --on-accent: #04211f; --mark: #17302e; }
:root[data-theme=light] { color-scheme: light; }
* { box-sizing: border-box; }
html { scroll-padding-top: 72px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.65 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 16px; min-height: 56px; padding: 8px 24px;
  background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 650; color: var(--text); text-decoration: none; }
.brand span { display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 7px; background: var(--accent);
  color: var(--on-accent); font-size: 18px; line-height: 1; }
.top nav { display: flex; gap: 20px; margin-inline-start: 12px; }
.top nav a { color: var(--text2); text-decoration: none; font-size: 14px; padding: 6px 0; }
.top nav a[aria-current] { color: var(--text); box-shadow: inset 0 -2px var(--accent); }
.find { margin-inline-start: auto; display: flex; align-items: center; gap: 40px; font: inherit; font-size: 14px; color: var(--text2);
  background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; min-height: 36px; cursor: pointer; }
.find:hover { border-color: var(--text2); }
kbd { font: 12px/1 ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 3px 5px; background: var(--surface); }
.tries { display: grid; gap: 10px; padding: 14px 24px; background: var(--mark); border-bottom: 1px solid var(--line); font-size: 14px; }
.tries p { margin: 0; } .tries div { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; }
.tries summary { cursor: pointer; inline-size: fit-content; min-height: 28px; color: var(--text2); } .tries details[open] { display: grid; gap: 10px; }
.tries details > div { margin-top: 8px; }
.tries .label { color: var(--text2); min-inline-size: 88px; }
.tries a { display: inline-flex; align-items: center; min-height: 32px; padding: 2px 12px; border: 1px solid var(--line); border-radius: 16px;
  background: var(--surface); color: var(--text); text-decoration: none; }
.tries a:hover { border-color: var(--accent); }
.tries a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.body { display: grid; grid-template-columns: 232px minmax(0, 1fr) 200px; gap: 40px; max-width: 1240px; margin: 0 auto; padding: 0 24px; }
.side, .toc { position: sticky; top: 56px; align-self: start; max-height: calc(100vh - 56px); overflow: auto; padding: 28px 0; font-size: 14px; }
.side h2, .toc h2 { font-size: 12px; font-weight: 650; letter-spacing: .02em; margin: 0 0 8px; color: var(--text2); }
.side ul, .toc ul { list-style: none; margin: 0 0 20px; padding: 0; }
.side a, .toc a { display: block; padding: 4px 10px; border-radius: 6px; color: var(--text2); text-decoration: none; }
.side a:hover, .toc a:hover { color: var(--text); background: var(--sunken); }
.side a[aria-current] { color: var(--accent); background: var(--mark); font-weight: 600; }
main { padding: 32px 0 64px; min-width: 0; max-width: 72ch; }
.crumbs { color: var(--text2); font-size: 13px; margin: 0 0 8px; }
h1 { font-size: 32px; line-height: 1.2; margin: 0 0 12px; text-wrap: balance; letter-spacing: -.01em; }
.lead { font-size: 18px; color: var(--text2); margin: 0 0 28px; }
main h2 { font-size: 22px; line-height: 1.3; margin: 40px 0 10px; padding-top: 20px; border-top: 1px solid var(--line); }
main h3 { font-size: 17px; margin: 24px 0 8px; }
p, ul, ol { margin: 0 0 16px; } li { margin: 0 0 6px; }
code { font: .9em ui-monospace, monospace; background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; padding: 1px 5px; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; overflow: auto; margin: 0 0 16px;
  font: 14px/1.6 ui-monospace, monospace; }
pre code { border: 0; padding: 0; background: none; font: inherit; }
pre.wraps { white-space: pre-wrap; overflow-wrap: anywhere; }
.note { border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); border-radius: 8px; background: var(--surface);
  padding: 12px 16px; margin: 0 0 16px; } .note p:last-child { margin: 0; } .note strong { display: block; }
.table { overflow-x: auto; margin: 0 0 16px; } table { border-collapse: collapse; inline-size: 100%; font-size: 15px; }
th, td { text-align: start; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); } th { font-weight: 600; }
.asks { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 16px; }
.asks button { font: inherit; font-size: 15px; color: var(--text); background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; padding: 8px 14px; min-height: 40px; cursor: pointer; text-align: start; } .asks button:hover { border-color: var(--accent); }
citewell-ask { display: block; margin: 0 0 24px; }
.form { display: grid; gap: 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); padding: 18px; }
.form label { display: grid; gap: 4px; font-weight: 600; font-size: 15px; }
.form input, .form textarea { font: inherit; font-weight: 400; color: inherit; background: var(--bg); border: 1px solid #7a8a87;
  border-radius: 6px; padding: 8px 10px; inline-size: 100%; }
.form > button { font: inherit; font-weight: 600; justify-self: start; color: var(--on-accent); background: var(--accent); border: 0;
  border-radius: 8px; padding: 8px 18px; min-height: 40px; cursor: pointer; }
body.preview { padding: 16px; } body.preview .form { margin-block-end: 16px; }
.pages { display: flex; justify-content: space-between; gap: 16px; margin-top: 48px; padding-top: 20px; border-top: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); padding: 24px; color: var(--text2); font-size: 14px; text-align: center; }
@media (max-width: 1080px) { .body { grid-template-columns: 200px minmax(0, 1fr); } .toc { display: none; } }
@media (max-width: 760px) { .body { display: block; padding: 0 16px; } .side { display: none; } .top { padding: 8px 16px; }
  .top nav { display: none; } .find { gap: 12px; } .find kbd { display: none; } .tries { padding: 12px 16px; }
  .tries .label { min-inline-size: 100%; } main { padding-top: 24px; } h1 { font-size: 27px; } }
`
