import { MARK } from './mark.js'
import { LAYOUT } from './style-layout.js'
import { PARTS } from './style-parts.js'
import { TRY } from './style-try.js'

/** The style sheet of the site, both themes in one: `light-dark` follows the reader's system, or what was chosen. */
export const styleSheet = (): string =>
  `/* ${MARK}. Do not edit. */\n${COLOURS}${LAYOUT}${PARTS}${TRY}`

/** Each colour of text has at least 4.5 times the brightness of what it stands on, or the reverse (WCAG 2.2, 1.4.3). */
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
