/** Of the findings: columns where there is space, one under the other on a phone. */
const TABLE_STYLE = `
.empty { color: var(--soft); padding: 1.2rem; border: 1px dashed var(--line); border-radius: .6rem; }
.remarks { color: var(--soft); padding-left: 1.2rem; }
.filters { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: start; margin-bottom: 1rem; }
.filters > label { display: grid; gap: .2rem; font-size: .8rem; color: var(--soft); flex: 1 1 12rem; min-width: 0; }
.filters input[type=search], .filters select { font: inherit; font-size: .95rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .6rem; width: 100%; min-width: 0; }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; }
legend { font-size: .8rem; color: var(--soft); padding: 0; margin-bottom: .35rem; }
.chip { margin: 0 .5rem .25rem 0; display: inline-flex; align-items: center; gap: .35rem; padding: .3rem .8rem .3rem .6rem; border-radius: 99px; font-size: .9rem; cursor: pointer; }
.chip.error { background: var(--error-ground); color: var(--error); } .chip.warning { background: var(--warning-ground); color: var(--warning); } .chip.note { background: var(--note-ground); color: var(--note); }
.chip input { accent-color: currentColor; margin: 0; }
.shown { flex-basis: 100%; margin: 0; display: flex; gap: 1rem; align-items: center; justify-content: space-between; color: var(--soft); font-size: .9rem; }
button { font: inherit; font-size: .85rem; color: var(--accent); background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .25rem .7rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
.table { border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: clip; }
.columns, .row > summary { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) minmax(0, 16rem) minmax(0, 14rem); gap: 1rem; padding: .6rem 1rem; align-items: baseline; }
.columns { color: var(--soft); font-size: .8rem; background: var(--ground); }
.row { border-top: 1px solid var(--line); }
.row > summary:hover { background: var(--ground); }
.row[open] > summary { background: var(--ground); }
.level { justify-self: start; font-size: .8rem; font-weight: 600; padding: .1rem .55rem; border-radius: 99px; }
.level.error { color: var(--error); background: var(--error-ground); } .level.warning { color: var(--warning); background: var(--warning-ground); } .level.note { color: var(--note); background: var(--note-ground); }
.said { overflow-wrap: anywhere; } .said::before { content: '▸ '; color: var(--accent); } .row[open] .said::before { content: '▾ '; } .said small { color: var(--soft); white-space: nowrap; }
.rule, .operation { color: var(--soft); }
.proof { padding: .25rem 1rem 1.1rem; }
.clause { margin: .6rem 0; } .clause cite { color: var(--soft); font-style: normal; } .clause cite::before, .clause code::before { content: '· '; color: var(--soft); }
.proof dl { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .5rem 1rem; margin: 0; }
.proof dt { color: var(--soft); font-size: .85rem; padding-top: .5rem; }
.proof dd { margin: 0; min-width: 0; }
pre { margin: 0; padding: .55rem .8rem; background: var(--code); border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; max-height: 18rem; overflow: auto; }
pre.came { border-left: 3px solid var(--error); } pre.due { border-left: 3px solid var(--good); }
.copied { position: relative; } .copied pre { padding-right: 5.5rem; } .copy { position: absolute; top: .35rem; right: .4rem; }
@media (max-width: 60rem) {
  .columns { display: none; }
  .row:first-of-type { border-top: 0; }
  .row > summary { grid-template-columns: auto minmax(0, 1fr); gap: .2rem .75rem; }
  .rule { grid-column: 2; } .operation { grid-column: 2; }
}
@media (max-width: 40rem) {
  .proof dl { grid-template-columns: minmax(0, 1fr); gap: .2rem; }
  .copied pre { padding-right: .8rem; padding-bottom: 2.6rem; } .copy { top: auto; bottom: .4rem; }
}
`

const BASE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #fff; --ink: #1b2430; --soft: #5b6675; --line: #dfe3e8; --code: #f1f3f6;
  --error: #b42318; --warning: #935f00; --note: #175cd3; --good: #067647; --accent: #175cd3;
  --error-ground: #fdecea; --warning-ground: #fdf3dc; --note-ground: #e8f0fd; --good-ground: #e2f5ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151c; --card: #182029; --ink: #e6ebf1; --soft: #9aa7b6; --line: #2b3643; --code: #0f151c;
    --error: #ff8f85; --warning: #f2c14e; --note: #84b6ff; --good: #5fd497; --accent: #84b6ff;
    --error-ground: #3b1d1c; --warning-ground: #392d12; --note-ground: #17294a; --good-ground: #12332a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
code, pre, .rule, .operation, .names, .subject { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .85em; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 4.5vw, 2.4rem); line-height: 1.15; margin: 0; letter-spacing: -.02em; }
h2 { font-size: 1.15rem; margin: 2.75rem 0 .9rem; }
header { padding-top: 3rem; }
header.error h1 { color: var(--error); } header.warning h1 { color: var(--warning); } header.good h1 { color: var(--good); }
.over { margin: 0 0 .4rem; color: var(--soft); }
.subject { margin: .6rem 0 1.4rem; font-size: 1rem; }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 0 0 1.2rem; }
.counts li { padding: .35rem .9rem; border-radius: 99px; }
.counts .error { background: var(--error-ground); color: var(--error); }
.counts .warning { background: var(--warning-ground); color: var(--warning); }
.counts .note { background: var(--note-ground); color: var(--note); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
.bars { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: .75rem; align-items: start; }
.card, .gap { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card .line { margin: 0; padding: .8rem 1rem; display: grid; grid-template-columns: 1fr auto; gap: .15rem 1rem; }
.card .kind { display: inline-block; font-weight: 600; } .card .kind::first-letter { text-transform: uppercase; }
.card .count { color: var(--soft); font-variant-numeric: tabular-nums; } .card .count b { color: var(--ink); }
.bar { grid-column: 1 / -1; width: 100%; height: .5rem; border-radius: 99px; margin: .35rem 0 .15rem; }
.track { fill: var(--line); } .fill { fill: var(--good); }
.more { grid-column: 1 / -1; color: var(--accent); font-size: .85rem; }
.more::before { content: '▸ '; } details[open] > summary .more::before { content: '▾ '; }
summary { cursor: pointer; list-style: none; } summary::-webkit-details-marker { display: none; }
.names { margin: 0; padding: .2rem 1rem 1rem 2.2rem; max-height: 20rem; overflow: auto; color: var(--soft); }
.gap { margin-bottom: .5rem; } .gap > summary { padding: .6rem 1rem; } .gap > summary b { display: inline-block; min-width: 2.2em; color: var(--soft); font-variant-numeric: tabular-nums; }
.gap > summary::after { content: ' ▸'; color: var(--accent); } .gap[open] > summary::after { content: ' ▾'; }
table { border-collapse: collapse; width: calc(100% - 2rem); margin: 0 1rem 1rem; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .5rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; }
footer { padding: 3rem 1.5rem 4rem; color: var(--soft); font-size: .85rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
@media (max-width: 40rem) { header, main, footer { padding-left: 1rem; padding-right: 1rem; } header { padding-top: 1.75rem; } }
@media print { .filters, .copy, .skip { display: none !important; } body { background: none; } }
`

/** All that the page looks like. */
export const STYLE = `${BASE}${TABLE_STYLE}`
