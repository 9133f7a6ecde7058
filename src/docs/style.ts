import { MARK } from './mark.js'

/** The style sheet of the site, both themes in one: `light-dark` follows the reader's system, or what was chosen. */
export const styleSheet = (): string =>
  `/* ${MARK}. Do not edit. */\n${COLOURS}${LAYOUT}${PARTS}${TRY}`

/** Each colour of text has at least 4.5 times the brightness of its background, or the reverse (WCAG 2.2, 1.4.3). */
const COLOURS = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fcfcfa, #15181c);
  --panel: light-dark(#f3f3ee, #1d2127);
  --code: light-dark(#f5f6f4, #1b1f25);
  --text: light-dark(#1f2328, #e3e6ea);
  --quiet: light-dark(#565d66, #a4adb8);
  --line: light-dark(#dcdcd4, #343b44);
  --link: light-dark(#0b5c92, #82c0f0);
  --accent: light-dark(#0b6b5d, #63cdb8);
  --accent-ground: light-dark(#e2f1ed, #173530);
  --warn: light-dark(#7d4700, #f0bd75);
  --warn-ground: light-dark(#fbf1dd, #362a17);
  --bad: light-dark(#a3232b, #ff9d9d);
  --bad-ground: light-dark(#fbe9e8, #3b1f20);
  --http: light-dark(#6b2fa0, #cfa6f5);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`

/** Where things stand: the bar, the sidebar, the content, the phone, paper. */
const LAYOUT = `
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: from-font; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 9; padding: 0.5rem 1rem; background: var(--page); border: 2px solid var(--link); border-radius: 0.4rem; }
.skip:focus { top: 0.5rem; }

.bar { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 0.75rem 1rem; min-height: 3.5rem; padding: 0.4rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line); }
.home { color: var(--text); font-weight: 650; text-decoration: none; line-height: 1.25; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }
.home:hover { text-decoration: underline; }
.bar button, .copy { font: inherit; font-size: 0.85rem; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.3rem 0.7rem; cursor: pointer; white-space: nowrap; }
.bar button:hover, .copy:hover { border-color: var(--quiet); }

.search { position: relative; flex: 1 1 14rem; max-width: 34rem; margin-left: auto; }
.search input { width: 100%; font: inherit; font-size: 0.95rem; color: var(--text); background: var(--panel); border: 1px solid var(--quiet); border-radius: 0.5rem; padding: 0.35rem 0.8rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
#results { position: absolute; inset: calc(100% + 0.4rem) 0 auto auto; width: max(100%, min(38rem, calc(100vw - 2rem))); max-height: min(32rem, 75vh); overflow-y: auto; background: var(--page); border: 1px solid var(--quiet); border-radius: 0.6rem; box-shadow: 0 8px 30px rgb(0 0 0 / 0.25); padding: 0.3rem; }
#results [role=option] { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 0.75rem; padding: 0.4rem 0.6rem; border-radius: 0.4rem; cursor: pointer; }
#results [role=option]:hover { background: var(--panel); }
#results [aria-selected=true] { background: var(--accent-ground); box-shadow: inset 3px 0 var(--accent); }
#results .kind { color: var(--quiet); font-size: 0.8rem; padding-top: 0.15rem; }
#results .name { font-family: var(--mono); font-size: 0.9rem; font-weight: 600; overflow-wrap: anywhere; }
#results .said { grid-column: 2; color: var(--quiet); font-size: 0.85rem; }
#results .said:empty { display: none; }
.found { position: absolute; right: 0; top: calc(100% + 0.1rem); margin: 0; font-size: 0.85rem; color: var(--text); background: var(--page); border-radius: 0.4rem; padding: 0 0.5rem; }
#results:not([hidden]) + .found { clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; white-space: nowrap; }

.columns { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
main { min-width: 0; padding: 1.75rem 1.25rem 4rem; }
article { max-width: 52rem; }
footer { padding: 1.5rem; color: var(--quiet); font-size: 0.85rem; text-align: center; border-top: 1px solid var(--line); }
#sidebar { padding: 1rem 1.25rem 3rem; font-size: 0.9rem; background: var(--page); }
#sidebar h2 { margin: 1.4rem 0 0.3rem; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--quiet); }
#sidebar ul { list-style: none; margin: 0; padding: 0; }
#sidebar details > ul { margin: 0 0 0.5rem 0.45rem; border-left: 1px solid var(--line); }
#sidebar a { display: block; padding: 0.22rem 0.6rem; color: var(--text); text-decoration: none; border-radius: 0.3rem; overflow-wrap: anywhere; }
#sidebar a:hover { background: var(--panel); }
#sidebar a[aria-current] { background: var(--accent-ground); color: var(--accent); font-weight: 600; }
#sidebar summary { padding: 0.25rem 0.3rem; cursor: pointer; border-radius: 0.3rem; }
#sidebar .elsewhere { margin: 0; }
#sidebar code { background: none; padding: 0; font-size: 0.85rem; }
.count { color: var(--quiet); font-size: 0.8rem; }

@media (min-width: 60rem) {
  .columns { grid-template-columns: 18rem minmax(0, 1fr); }
  #sidebar { position: sticky; top: 3.5rem; align-self: start; height: calc(100vh - 3.5rem); overflow-y: auto; border-right: 1px solid var(--line); }
  main { padding: 2.25rem 3rem 5rem; }
  .menu { display: none; }
}
@media (max-width: 59.99rem) {
  .bar { flex-wrap: wrap; padding: 0.4rem 1rem; }
  .home { flex: 1; font-size: 0.95rem; max-width: none; -webkit-line-clamp: 1; }
  .search { order: 9; flex-basis: 100%; max-width: none; }
  html { scroll-padding-top: 7.5rem; }
  .columns { display: flex; flex-direction: column; }
  main { order: -1; }
  .script #sidebar { position: fixed; inset: 0 auto 0 0; z-index: 8; width: min(20rem, 85vw); overflow-y: auto; visibility: hidden; transform: translateX(-100%); transition: transform 0.18s ease-out, visibility 0s 0.18s; border-right: 1px solid var(--line); box-shadow: 0 0 40px rgb(0 0 0 / 0.35); }
  .script.drawer #sidebar { visibility: visible; transform: none; transition: transform 0.18s ease-out; }
  .drawer body { overflow: hidden; }
  .drawer .columns::before { content: ""; position: fixed; inset: 0; z-index: 7; background: rgb(0 0 0 / 0.5); }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; } }
@media print {
  :root { color-scheme: light; }
  .bar, #sidebar, .skip, .copy, .try, .try-link, footer { display: none !important; }
  .columns { display: block; }
  article { max-width: none; }
  details::details-content { content-visibility: visible; display: block; }
  pre { max-height: none !important; white-space: pre-wrap; }
  section, figure, tr { break-inside: avoid-page; }
  a { color: inherit; }
}
`

/** What is in the content: headings, marks, trees, tables, code, notes. */
const PARTS = `
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

/** The try-it: its form, what it says of an answer, and the links that open it. */
const TRY = `
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
