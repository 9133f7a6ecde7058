/**
 * `npm run rules`: prints docs/rules.md and the JSON Schema of configurations from the tables of rules, that of files of usage, and the
 * table of repairs in docs/documents.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { publishedSchema } from '../src/cli/config/schema.js'
import { missingTexts, RULES, rulesMarkdown } from '../src/cli/rules.js'
import { withRepairTable } from '../src/read/repair/rows.js'
import { publishedUsageSchema } from '../src/usage/read-usage.js'

const place = (path: string) => new URL(`../${path}`, import.meta.url)
const write = (path: string, text: string) => writeFileSync(place(path), text)

const missing = missingTexts()
if (missing.length > 0) {
  console.error(missing.join('\n'))
  process.exit(1)
}
write('docs/rules.md', rulesMarkdown())
write('src/cli/config/config.schema.json', publishedSchema(RULES))
write('src/usage/usage.schema.json', publishedUsageSchema())
write('docs/documents.md', withRepairTable(readFileSync(place('docs/documents.md'), 'utf8')))
