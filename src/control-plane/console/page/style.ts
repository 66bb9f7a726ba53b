// The look of the console: one style sheet, dark and light, from a phone to a wide screen.

const COLOURS = `
:root { color-scheme: light dark;
  --page: #f5f6f8; --surface: #ffffff; --text: #171b21; --faint: #566171; --line: #dde1e7; --edge: #858f9d;
  --accent: #2450c8; --on-accent: #ffffff; --accent-hover: #1b3fa3; --hover: #eef1f6;
  --good: #0f6b3a; --good-bg: #e3f5ea; --quiet: #4d5867; --quiet-bg: #eceff3; --busy: #1d4bb8; --busy-bg: #e5edfd;
  --waiting: #7a4a00; --waiting-bg: #fdf1d8; --bad: #a81f2d; --bad-bg: #fdeaec; --danger: #b3202e; --danger-hover: #8f1824; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0e1116; --surface: #161a21; --text: #e7eaef; --faint: #9ba6b5; --line: #2a303a; --edge: #6c7787;
  --accent: #8fb0ff; --on-accent: #0b1530; --accent-hover: #b3c9ff; --hover: #1f252e;
  --good: #6fdb9c; --good-bg: #10301f; --quiet: #b3bdca; --quiet-bg: #262d37; --busy: #9dbcff; --busy-bg: #17284d;
  --waiting: #f3c15d; --waiting-bg: #38290b; --bad: #ff9ba4; --bad-bg: #43171c; --danger: #ff9ba4; --danger-hover: #ffc0c6; } }
`;

const BASE = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 84rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; }
main:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; font-weight: 650; overflow-wrap: anywhere; letter-spacing: -.01em; }
h1 code { font-size: .92em; }
h2 { font-size: 1.05rem; margin: 2rem 0 .6rem; font-weight: 650; }
p { margin: .5rem 0; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-hover); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
.line { display: block; font-size: .86rem; overflow-wrap: anywhere; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.skip { position: absolute; left: .75rem; top: -4rem; background: var(--surface); padding: .6rem 1rem; z-index: 2; border-radius: 6px; }
.skip:focus { top: .5rem; }
`;

const FRAME = `
.bar { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar-in { max-width: 84rem; margin: 0 auto; padding: .55rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; }
.brand { display: inline-flex; align-items: center; gap: .45rem; min-height: 2.25rem; font-weight: 650; color: var(--text); text-decoration: none; }
.brand .faint { font-weight: 400; }
.mark { width: .8rem; height: .8rem; border-radius: 4px; background: var(--accent); forced-color-adjust: none; }
.bar ul { display: flex; gap: .25rem; list-style: none; margin: 0; padding: 0; }
.bar li a { display: inline-flex; align-items: center; min-height: 2.25rem; padding: 0 .75rem; border-radius: 8px; color: var(--faint); text-decoration: none; font-weight: 550; }
.bar li a:hover { background: var(--hover); color: var(--text); }
.bar li a[aria-current] { background: var(--hover); color: var(--text); }
.who { display: flex; align-items: center; gap: .75rem; margin: 0 0 0 auto; }
.account { overflow-wrap: anywhere; }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: .75rem 1.5rem; margin-bottom: 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: .3rem 0 0; color: var(--faint); }
.trail ol { list-style: none; display: flex; flex-wrap: wrap; margin: 0 0 .5rem; padding: 0; font-size: .92rem; }
.trail li a { display: inline-block; padding: .15rem 0; overflow-wrap: anywhere; }
.trail li::after { content: "/"; color: var(--faint); margin: 0 .5rem; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow-x: auto; }
.padded { padding: .25rem 1.25rem 1.25rem; margin: 1.25rem 0; }
.padded h2 { margin-top: 1rem; } .padded .facts-list > div { padding-left: 0; padding-right: 0; } .padded .facts-list + * { margin-top: .5rem; }
.narrow { max-width: 34rem; margin: 1.5rem auto; padding: 1.75rem; }
.narrow h1 { margin-bottom: .75rem; }
.empty { padding: 1.5rem 1.25rem; margin: 0; color: var(--faint); }
.notice { border: 1px solid currentColor; border-radius: 10px; padding: .65rem 1rem; margin: 0 0 1.25rem; overflow-wrap: anywhere; }
.notice.good { color: var(--good); background: var(--good-bg); }
.notice.bad { color: var(--bad); background: var(--bad-bg); }
.live-control { display: flex; justify-content: flex-end; margin-bottom: .5rem; }
.section-head { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; margin: 2rem 0 .6rem; } .section-head h2 { margin: 0; }
#live > section:first-child .section-head, #actions { margin-top: -2.5rem; max-width: calc(100% - 9rem); min-height: 2rem; } #actions { margin-bottom: 1rem; }
.section-head + .padded { margin-top: 0; }
.pager { display: flex; gap: .6rem; margin: 1rem 0 0; }
.facts-list { margin: 0; }
.facts-list > div { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; padding: .7rem 1.25rem; border-top: 1px solid var(--line); }
.facts-list > div:first-child { border-top: 0; }
.facts-list dt { color: var(--faint); } .facts-list dd { margin: 0; overflow-wrap: anywhere; }
`;

const CONTROLS = `
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: .45rem; min-height: 2.25rem; padding: .3rem .9rem;
  font: inherit; font-weight: 550; color: var(--text); background: var(--surface); border: 1px solid var(--edge); border-radius: 8px;
  text-decoration: none; cursor: pointer; white-space: nowrap; }
button:hover, .button:hover { background: var(--hover); color: var(--text); }
.small { min-height: 1.9rem; padding: .1rem .55rem; font-size: .86rem; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.primary:hover { background: var(--accent-hover); border-color: var(--accent-hover); color: var(--on-accent); }
.danger { background: var(--danger); border-color: var(--danger); color: var(--surface); }
.danger:hover { background: var(--danger-hover); border-color: var(--danger-hover); color: var(--surface); }
.plain { border-color: transparent; background: none; color: var(--accent); padding: .3rem .5rem; }
.wide { width: 100%; margin-top: 1.25rem; }
label { display: block; font-weight: 600; margin: 1rem 0 .35rem; }
input, select { font: inherit; width: 100%; min-height: 2.5rem; padding: .4rem .7rem; color: var(--text); background: var(--page);
  border: 1px solid var(--edge); border-radius: 8px; }
select { text-overflow: ellipsis; }
input::placeholder { color: var(--faint); opacity: 1; }
input[aria-invalid] { border-color: var(--bad); }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1.25rem; }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; }
.more { margin: 1rem 0 0; } .more summary { font-weight: 600; } h3 { font-size: .95rem; margin: 1rem 0 .4rem; }
.help { margin: .3rem 0 0; font-size: .92rem; overflow-wrap: anywhere; }
.inline { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end; }
.inline .field { flex: 1 1 16rem; max-width: 28rem; } .head > * { min-width: 0; max-width: 100%; } .head .actions { align-items: center; } .inline label { margin-top: 0; } .inline button { min-height: 2.5rem; }
.search { display: flex; gap: .5rem; min-width: 0; } .search button { min-height: 2.5rem; }
.fresh { border-color: var(--accent); border-width: 2px; }
.value { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.value code { flex: 1 1 20rem; min-width: 0; padding: .6rem .75rem; background: var(--page); border: 1px solid var(--line); border-radius: 8px; user-select: all; white-space: pre-wrap; }
#live-toggle .dot { width: .55rem; height: .55rem; border-radius: 50%; border: 2px solid var(--edge); }
#live-toggle[aria-pressed="true"] .dot { background: var(--good); border-color: var(--good); }
.pill { display: inline-flex; align-items: center; gap: .4rem; padding: .08rem .6rem; border-radius: 99px; font-size: .84rem; font-weight: 600;
  white-space: nowrap; border: 1px solid transparent; }
.pill::before { content: ""; width: .45rem; height: .45rem; border-radius: 50%; background: currentColor; }
.pill.good { color: var(--good); background: var(--good-bg); } .pill.quiet { color: var(--quiet); background: var(--quiet-bg); }
.pill.busy { color: var(--busy); background: var(--busy-bg); } .pill.waiting { color: var(--waiting); background: var(--waiting-bg); }
.pill.bad { color: var(--bad); background: var(--bad-bg); }
.pills { display: flex; flex-wrap: wrap; gap: .35rem; }
.pill.busy::before { animation: breathe 1.4s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: .25; } }
@media (prefers-reduced-motion: reduce) { .pill.busy::before { animation: none; } }
`;

const PICTURES = `
.tree { padding: .5rem 1.25rem; } .tree ul { list-style: none; margin: 0; padding: 0; } .tree ul ul { margin-left: .55rem; padding-left: 1.35rem; border-left: 1px solid var(--edge); }
.tree .empty { padding: .75rem 0; }
.node .pill { white-space: normal; } .node .pills:not(:has(.pill)) { display: none; } .node code { min-width: 0; }
/* Deep branches keep a readable width; the tree scrolls sideways instead. */
.node { min-width: 11rem; display: flex; flex-wrap: wrap; align-items: center; gap: .15rem .75rem; padding: .45rem 0; position: relative; }
.tree ul ul .node::before { content: ""; position: absolute; left: -1.35rem; top: 1.2rem; width: 1rem; border-top: 1px solid var(--edge); }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
`;

const TABLES = `
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .7rem .75rem; font-weight: inherit; }
th:first-child, td:first-child { padding-left: 1.25rem; } th:last-child, td:last-child { padding-right: 1.25rem; }
thead th { color: var(--faint); font-size: .84rem; font-weight: 600; padding-top: .6rem; padding-bottom: .6rem; white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
tbody tr:hover { background: color-mix(in srgb, var(--hover) 55%, transparent); }
tbody th > code { display: block; color: var(--faint); }
tbody th > .name, tbody th > .id { display: block; width: fit-content; }
td time { font-variant-numeric: tabular-nums; font-size: .92rem; }
.whole { white-space: nowrap; }
td[data-label="Status"] { min-width: 8.5rem; } td[data-label="Region"] { min-width: 9rem; }
@media (min-width: 72rem) {
  [data-label="Compute"] { min-width: 13.5rem; } #computes [data-label="Branch"] { min-width: 13.75rem; } #operations [data-label="Branch"] { min-width: 8rem; }
  #operations td time { white-space: nowrap; }
  tbody code { overflow-wrap: break-word; }
  td[data-label="Actions"] { min-width: 11rem; }
}
@media (max-width: 56rem) {
  main { padding: 1.25rem .9rem 3rem; } .bar-in { padding: .4rem .9rem; } .narrow { padding: 1.25rem; margin-top: .5rem; }
  table, tbody, tr, tbody th, tbody td { display: block; width: auto; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { padding: .8rem 1rem; } tbody tr:first-child { border-top: 0; }
  tbody th:nth-child(n), tbody td:nth-child(n) { padding: .2rem 0; }
  tbody th { margin-bottom: .15rem; }
  tbody td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .75rem; }
  tbody td > div { min-width: 0; overflow-wrap: anywhere; } code.whole { white-space: normal; }
  tbody td::before { content: attr(data-label); color: var(--faint); font-size: .88rem; }
  tbody td[data-label="Actions"] { display: block; padding-top: .6rem; } tbody td[data-label="Actions"]::before { content: none; }
  .small { min-height: 2.25rem; padding: .2rem .8rem; }
  .facts-list > div { grid-template-columns: 1fr; gap: 0; padding: .6rem 1rem; }
  .tree { padding: .25rem .75rem; } .tree ul ul { margin-left: .3rem; padding-left: .9rem; } .tree ul ul .node::before { left: -.9rem; width: .65rem; }
  .search { flex: 1 1 100%; } .search input { min-width: 0; }
}
@media (max-width: 36rem) { .account { display: none; } .bar li a { padding: 0 .55rem; white-space: nowrap; } .who { order: 1; } .bar nav { order: 2; width: 100%; } .buttons > * { flex: 1 1 auto; }
  .live-control { margin-top: -.25rem; } #live > section:first-child .section-head, #actions { margin-top: 0; max-width: 100%; } }
@media (forced-colors: active) { .pill { border-color: currentColor; } .bar li a[aria-current] { outline: 2px solid; } }
`;

export const STYLE: string = COLOURS + BASE + FRAME + CONTROLS + PICTURES + TABLES;
