/** Of the findings: columns where there is room, one under the other on a phone. */
export const TABLE_STYLE = `
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
