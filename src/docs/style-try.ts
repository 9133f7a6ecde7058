/** The try-it: its form, what it says of an answer, and the links that open it. */
export const TRY = `
.try, .try-link { display: none; }
.script .try, .script .try-link { display: block; }
.try { margin: 1.5rem 0; padding: 0.4rem 1.1rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--panel); }
.try h2 { margin-top: 0.5rem; border: 0; font-size: 1.15rem; padding: 0; }
.try > p { margin: 0.2rem 0 0.7rem; color: var(--quiet); font-size: 0.93rem; }
.try button { font: inherit; font-size: 0.93rem; padding: 0.4rem 1rem; border: 1px solid var(--quiet); border-radius: 0.4rem; background: var(--page); color: var(--text); cursor: pointer; }
.try button:hover { border-color: var(--text); }
.try button.send, .try .open-try { background: var(--accent); border-color: var(--accent); color: var(--page); font-weight: 600; }
.try button:disabled { opacity: 0.5; cursor: default; }
.try button.stop, .try button.anyway { border-color: var(--bad); color: var(--bad); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.9rem 0; }
.try fieldset { min-width: 0; margin: 0.8rem 0; padding: 0.3rem 0.9rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.try legend { padding: 0 0.4rem; font-size: 0.85rem; font-weight: 600; color: var(--quiet); }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 0.1rem 1.2rem; }
.fields .fields { display: contents; }
.what .fields { grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }
.field { margin: 0.4rem 0; min-width: 0; }
.field label { display: block; font-size: 0.87rem; font-weight: 600; overflow-wrap: anywhere; }
.field label code { background: none; padding: 0; font-size: 0.97em; }
.hint { display: block; color: var(--quiet); font-size: 0.82rem; margin: 0.15rem 0 0; }
.field :is(input, select, textarea) { width: 100%; max-width: 100%; font: inherit; font-size: 0.93rem; min-height: 2.4rem; padding: 0.35rem 0.6rem; color: var(--text); background: var(--page); border: 1px solid var(--quiet); border-radius: 0.4rem; }
.field textarea { font-family: var(--mono); font-size: 0.87rem; line-height: 1.5; resize: vertical; display: block; tab-size: 2; }
.field [aria-invalid] { border-color: var(--bad); box-shadow: inset 3px 0 var(--bad); }
#try-complaints:not(:empty) { margin: 0.8rem 0; padding: 0.3rem 0.9rem; border-left: 4px solid var(--bad); background: var(--bad-ground); border-radius: 0 0.4rem 0.4rem 0; }
#try-complaints p, .verdict p { margin: 0.35rem 0; }
#try-complaints ul, .verdict ul { margin: 0.3rem 0; }
#try-complaints code, .verdict code { background: none; padding: 0; }
.verdict:not(:empty) { margin: 0.9rem 0; padding: 0.3rem 0.9rem; border-left: 4px solid var(--line); background: var(--page); border-radius: 0 0.4rem 0.4rem 0; overflow-wrap: anywhere; }
.verdict[data-tone="fits"] { border-color: var(--accent); background: var(--accent-ground); }
.verdict[data-tone="refused"] { border-color: var(--warn); background: var(--warn-ground); }
.verdict:is([data-tone="wrong"], [data-tone="silence"]) { border-color: var(--bad); background: var(--bad-ground); }
.sign { font-weight: 650; }
.verdict[data-tone="fits"] .sign { color: var(--accent); }
.verdict[data-tone="refused"] .sign { color: var(--warn); }
.verdict[data-tone="wrong"] .sign { color: var(--bad); }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 1.6rem; margin: 0.6rem 0; font-size: 0.9rem; }
.facts div { display: flex; gap: 0.45rem; min-width: 0; }
.facts dt { margin: 0; color: var(--quiet); }
.facts dd { overflow-wrap: anywhere; }
.answered table { font-size: 0.85rem; }
.answered td { overflow-wrap: anywhere; }
.try-link { margin: 0.4rem 0; font-size: 0.93rem; }
`
