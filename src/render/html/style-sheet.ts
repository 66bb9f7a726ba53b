// The look of the HTML reports: one style sheet, dark and light, for screen and paper.

export const STYLE_SHEET: string = `
:root { color-scheme: light dark; --page: #fff; --text: #1c2128; --faint: #59636e; --line: #d1d9e0; --panel: #f6f8fa;
  --add: #116329; --change: #7d4e00; --destroy: #b3202c; --restart: #8250df; --bar: #0969da; --wait: #bf8700; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #3d444d;
  --panel: #151b23; --add: #3fb950; --change: #d29922; --destroy: #ff7b72; --restart: #bc8cff; --bar: #58a6ff; --wait: #d29922; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.35rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .87em; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .75rem; min-width: 5.5rem; }
.figures b { display: block; font-size: 1.25rem; }
.change { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; margin: .6rem 0; padding: .5rem .75rem; break-inside: avoid; }
.change p { font-size: .92rem; }
.create, .rotate { border-left-color: var(--add); }
.update, .move { border-left-color: var(--change); }
.delete, .revoke, .replace { border-left-color: var(--destroy); }
.restart { border-left-color: var(--restart); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; font-size: .78rem; padding: 0 .55rem; margin-left: .35rem; white-space: nowrap; }
.good { color: var(--add); } .warn { color: var(--change); } .bad { color: var(--destroy); } .turn { color: var(--restart); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .4rem 0; width: 100%; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; font-size: .92rem; overflow-wrap: break-word; max-width: 32rem; min-width: 3.5rem; }
td p { margin: 0; } td > .badge:first-child { margin-left: 0; }
.members { margin: .25rem 0; padding-left: 1.1rem; columns: 22rem auto; font-size: .92rem; }
th { white-space: nowrap; color: var(--faint); font-weight: 600; }
del { color: var(--destroy); text-decoration: none; } ins { color: var(--add); text-decoration: none; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .5rem; margin: .4rem 0; overflow-x: auto; font-size: .85rem; }
pre > * { display: block; }
svg { display: block; max-width: none; font: 12px ui-monospace, Menlo, Consolas, monospace; }
svg text { fill: var(--text); } svg .small { fill: var(--faint); font-size: 11px; }
.grid { stroke: var(--line); }
.seg { fill: var(--bar); } .seg.waiting { fill: var(--wait); } .seg.request { fill: var(--faint); } .seg.failed { fill: var(--destroy); }
.retry { fill: var(--restart); }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } .scroll { overflow: visible; } svg { max-width: 100%; height: auto; } }
`;
