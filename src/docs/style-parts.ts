/** What stands in the content: headings, marks, trees, tables, code, notes. */
export const PARTS = `
h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.15rem); font-weight: 700; letter-spacing: -0.015em; margin-bottom: 0.6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin-top: 2.75rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin-top: 1.75rem; }
h4, h5, h6 { font-size: 1rem; margin-top: 1.25rem; }
p, ul, ol, dl { margin: 0.6rem 0; }
:is(ul, ol) { padding-left: 1.4rem; }
.version { color: var(--quiet); font-weight: 400; font-size: 0.85em; }
.lead { color: var(--quiet); font-size: 1.05rem; }
code, pre { font-family: var(--mono); font-size: 0.875em; font-variant-ligatures: none; }
code { background: var(--code); border-radius: 0.25rem; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
dt { margin-top: 0.9rem; }
dd { margin-left: 0; }
:target { scroll-margin-top: 5rem; }
li:target, tr:target, section:target { background: var(--accent-ground); }

.wire { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.7rem; padding: 0.6rem 0.9rem; background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 0.5rem; }
.wire > code { background: none; padding: 0; font-size: 1rem; font-weight: 600; }
.wire .id { color: var(--quiet); font-size: 0.85rem; margin-left: auto; }
.wire .id code { background: none; padding: 0; }
.protocol { font-size: 0.75rem; font-weight: 650; letter-spacing: 0.05em; text-transform: uppercase; color: var(--quiet); }
.verb { font-family: var(--mono); font-size: 0.78rem; font-weight: 700; color: var(--http); }
.verb-get, .verb-head { color: var(--link); }
.verb-delete { color: var(--bad); }
.verb-rpc { color: var(--accent); }
.verb-put, .verb-patch { color: var(--warn); }
.marks { display: flex; flex-wrap: wrap; gap: 0.4rem; list-style: none; padding: 0; }
.mark { font-size: 0.82rem; padding: 0.1rem 0.65rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); }
.stability-stable { color: var(--accent); background: var(--accent-ground); border-color: transparent; }
.stability-beta, .stability-alpha, .stability-draft { color: var(--warn); background: var(--warn-ground); border-color: transparent; }

.note { margin: 0.7rem 0; padding: 0.35rem 0.9rem; border-left: 4px solid var(--warn); background: var(--warn-ground); border-radius: 0 0.4rem 0.4rem 0; font-size: 0.93rem; }
.note p { margin: 0.25rem 0; }
.note code { background: none; }
.note strong { color: var(--warn); }
.deprecated { border-color: var(--bad); background: var(--bad-ground); }
.deprecated strong, .forbidden { color: var(--bad); }

.tree { list-style: none; margin: 0.4rem 0; padding: 0; }
.tree > li { padding: 0.55rem 0 0.55rem 0.9rem; border-left: 2px solid var(--line); }
.tree > li + li { border-top: 1px solid var(--line); }
.tree .tree { font-size: 0.97em; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.6rem; margin: 0; }
.example { border-top: 1px solid var(--line); }
.example > summary { padding: 0.7rem 0; }
.example > summary h3 { display: inline; color: var(--text); }
.key { font-weight: 650; background: none; padding: 0; font-size: 0.93em; }
.type, .type-words { color: var(--quiet); font-size: 0.92rem; }
.type { margin: 0.2rem 0; }
.required { color: var(--warn); font-size: 0.8rem; }
.optional, .place, .media-type, .shown { color: var(--quiet); font-size: 0.8rem; }
.media-type { font-size: 0.9rem; }
.secret { color: var(--http); font-size: 0.8rem; }
.forbidden { font-size: 0.85rem; }
.keywords { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; list-style: none; margin: 0.15rem 0; padding: 0; font-size: 0.87rem; color: var(--quiet); }
.prose > :first-child { margin-top: 0.3rem; }
.prose > :last-child { margin-bottom: 0.3rem; }
.tree .prose { font-size: 0.95rem; }
.choice { margin: 0.6rem 0 0.2rem; font-weight: 600; font-size: 0.92rem; }
.choices > li { border-left-style: dashed; }
.branch { display: inline-grid; place-items: center; min-width: 1.35rem; height: 1.35rem; border-radius: 50%; background: var(--panel); border: 1px solid var(--line); font-size: 0.75rem; color: var(--quiet); }
.schema { font-weight: 550; }
.schema-list { columns: 18rem; list-style: none; padding: 0; }
.schema-list li { break-inside: avoid; padding: 0.15rem 0; }
.many { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; }
details > summary { cursor: pointer; color: var(--link); font-size: 0.9rem; padding: 0.2rem 0; }
#sidebar summary { color: var(--text); }
.tree details > :not(summary) { margin-left: 0.4rem; }
.answer { padding-left: 0.9rem; border-left: 3px solid var(--line); margin-top: 1.5rem; }
.answer.status-2 { border-color: var(--accent); }
.answer.status-4, .answer.status-5 { border-color: var(--bad); }
.answer h3 { margin-top: 0; }

.wide { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; font-size: 0.82rem; white-space: nowrap; }
tbody th { font-weight: 500; }
th code, td code { overflow-wrap: normal; word-break: normal; }
td code { overflow-wrap: anywhere; }
.operations td:nth-child(2) { min-width: 12rem; }

.code { margin: 0.8rem 0; border: 1px solid var(--line); border-radius: 0.5rem; overflow: hidden; background: var(--code); }
figcaption { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: 0.3rem 0.5rem 0.3rem 0.9rem; min-height: 2.3rem; font-size: 0.82rem; color: var(--quiet); background: var(--panel); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 0.8rem 0.9rem; max-height: 26rem; overflow: auto; background: var(--code); line-height: 1.5; tab-size: 2; }
pre code { background: none; padding: 0; font-size: 1em; white-space: pre; overflow-wrap: normal; }
pre:focus-visible { outline-offset: -3px; }
.prose pre { border-radius: 0.5rem; border: 1px solid var(--line); }
.t-key { color: var(--link); }
.t-text { color: var(--accent); }
.t-number, .t-word { color: var(--http); }
.t-comment { color: var(--quiet); }
`
