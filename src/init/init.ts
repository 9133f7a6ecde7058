import { stringify } from 'yaml'
import type { InitOptions } from './init-options.js'
import { packageJson } from './package-json.js'
import type { InitFile } from './project-file.js'
import { ATTRIBUTES, attributes, IGNORE, ignore, tsconfig, tsconfigJson } from './project-texts.js'
import { readme } from './readme.js'
import { openapi } from './sample/openapi.js'
import { openrpc } from './sample/openrpc.js'
import { schemas } from './sample/schemas.js'
import { server } from './sample/server.js'
import { emptyServer } from './server.js'
import { workflow } from './workflow.js'

/**
 * The files that a project begins with, by their paths below its folder: the documents, which may stand in nobody's way, and
 * what a project has beside them, which is left alone where it stands already. No disk is touched.
 */
export const initFiles = (options: InitOptions): readonly InitFile[] => {
  const { name, taken } = options
  const title = stringify(name, { lineWidth: 0 }).trim()
  const documents: readonly InitFile[] = taken?.files ?? [
    { path: 'spec/openapi.yaml', text: openapi(title), kind: 'document' },
    { path: 'spec/openrpc.yaml', text: openrpc(title), kind: 'document' },
    { path: 'spec/schemas.yaml', text: schemas, kind: 'document' },
  ]
  const beside: readonly InitFile[] = [
    { path: '.gitattributes', text: ATTRIBUTES, kind: 'beside', lacking: attributes },
    { path: 'tsconfig.json', text: tsconfigJson, kind: 'beside', lacking: tsconfig },
    { path: 'package.json', ...packageJson(options) },
  ]
  if (!options.isNew) return [...documents, ...beside]
  return [
    ...documents,
    ...beside,
    { path: 'src/server.ts', text: taken ? emptyServer : server, kind: 'beside' },
    { path: '.gitignore', text: IGNORE, kind: 'beside', lacking: ignore },
    { path: '.github/workflows/contract.yml', text: workflow, kind: 'beside' },
    { path: 'README.md', text: readme(name, taken !== undefined), kind: 'beside' },
  ]
}
