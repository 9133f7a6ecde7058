/** The parts of `npm run trials`. Each is a run of vitest with the files of the part. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './named-run.mjs'

/** They measure time or memory. */
const MEASURED = ['event-loop', 'hostile', 'sockets', 'start', 'streams', 'usage']

/** Of `test/trials/`, without a service. */
const COMPUTED = ['compatibility', 'diff', 'overlapping']

const trialFiles = (await readdir(join(ROOT, 'test/trials')))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.test.ts'.length))

const part = (name, ...files) => ({ name, files })
const trial = (name) => part(name, `test/trials/${name}.test.ts`)

/** They run one after another, alone. */
export const measured = MEASURED.map(trial)

/** They wait more than they compute: one after another, beside those that compute. */
export const service = [
  ...trialFiles.filter((name) => ![...MEASURED, ...COMPUTED].includes(name)).map(trial),
  part('gateway', 'test/service/gateway/fuzz.e2e.test.ts'),
  part('outbox', 'test/service/outbox/faults.e2e.test.ts'),
]

/** The longest first: two at a time. */
export const computed = [
  part('verdicts', 'test/emit/validators/verdicts.e2e.test.ts'),
  trial('diff'),
  part('soundness', 'test/schema/contain/soundness.e2e.test.ts'),
  ...COMPUTED.filter((name) => name !== 'diff').map(trial),
  part('generate-reading', 'test/read/generate-reading.e2e.test.ts'),
  part(
    'seeded',
    'test/conform/seeded/seeded.e2e.test.ts',
    'test/conform/seeded/shelf/shelf.e2e.test.ts',
  ),
  part('values', 'test/conform/values/values.test.ts'),
  part('schemas', 'test/emit/schemas-property.test.ts'),
  part('schema-libraries', 'test/emit/schema-libraries/documents.e2e.test.ts'),
  part('init', 'test/init/third-party.e2e.test.ts'),
  part(
    'large',
    'test/emit/folders.trial.test.ts',
    'test/link/ethereum.trial.test.ts',
    'test/package/init.trial.test.ts',
  ),
  part(
    'languages',
    'test/languages/python-packages.trial.test.ts',
    'test/languages/go-packages.trial.test.ts',
    'test/languages/golangci-lint.trial.test.ts',
  ),
]
