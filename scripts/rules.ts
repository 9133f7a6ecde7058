/** `npm run rules`: prints docs/rules.md and the JSON Schema of configurations from the tables of rules. */
import { writeFileSync } from 'node:fs'
import { publishedSchema } from '../src/cli/config/schema.js'
import { RULES } from '../src/cli/rules.js'
import { rulesMarkdown } from '../src/cli/rules-page.js'

const write = (path: string, text: string) =>
  writeFileSync(new URL(`../${path}`, import.meta.url), text)

write('docs/rules.md', rulesMarkdown())
write('src/cli/config/config.schema.json', publishedSchema(RULES))
