import { createHash } from 'node:crypto'
import { html, trusted } from '../../docs/html.js'
import type { ConformResult } from '../conform-result.js'
import { coverage } from './coverage.js'
import { findings } from './findings.js'
import { choices, notTested } from './gaps.js'
import { head } from './head.js'
import { SCRIPT } from './script.js'
import { STYLE } from './style.js'

/**
 * A verdict as one page that asks nobody for anything: its style and script stand in it, and its policy lets through nothing
 * but these two, by their digests.
 */
export const conformPage = (
  judged: ConformResult,
  { version }: { readonly version: string },
): string => {
  const policy = `default-src 'none'; style-src '${digest(STYLE)}'; script-src '${digest(SCRIPT)}'; base-uri 'none'; form-action 'none'`
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="twinspec ${version}">
<title>Conformance of ${judged.subject}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${head(judged)}
<main>
${coverage(judged)}
${findings(judged)}
${notTested(judged)}
${choices(judged)}
</main>
<footer>twinspec ${version}, seed ${judged.seed}. The key stands nowhere in this page: set <code>KEY</code> before you run a line of curl.</footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`
  return text
}

const digest = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`
