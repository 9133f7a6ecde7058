/** `npm run rules`: prints docs/rules.md and the JSON Schema of configurations from the tables of rules, and that of files of usage. */
import { writeFileSync } from 'node:fs'
import { publishedSchema } from '../src/cli/config/schema.js'
import { missingTexts, RULES, rulesMarkdown } from '../src/cli/rules.js'
import { publishedUsageSchema } from '../src/usage/read-usage.js'

const write = (path: string, text: string) =>
  writeFileSync(new URL(`../${path}`, import.meta.url), text)

const missing = missingTexts()
if (missing.length > 0) {
  console.error(missing.join('\n'))
  process.exit(1)
}
write('docs/rules.md', rulesMarkdown())
write('src/cli/config/config.schema.json', publishedSchema(RULES))
write('src/usage/usage.schema.json', publishedUsageSchema())
