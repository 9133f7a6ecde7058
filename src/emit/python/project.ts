import type { Api } from '../../model/api.js'
import { speaksOverSockets } from '../../model/sockets.js'
import { tomlString } from '../../text/escape.js'
import type { File } from '../file.js'
import { PYTHON_HEADER } from './layout.js'

type About = {
  readonly name: string
  /** The package that programs import. */
  readonly module: string
  readonly version?: string | undefined
  readonly license?: string | undefined
}

/** Version 15 pings in clients that block. */
const SOCKET_EXTRA = `
[project.optional-dependencies]
websocket = ["websockets>=15,<18"]
`

/** `pyproject.toml`. */
export const projectFile = (
  api: Api,
  { name, module, version = '0.1.0', license }: About,
): File => ({
  name: 'pyproject.toml',
  text: `${PYTHON_HEADER}
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = ${tomlString(name)}
version = ${tomlString(version)}
description = ${tomlString(`Clients of ${api.title}`.replace(/\s+/g, ' ').trim())}
readme = "README.md"
requires-python = ">=3.11"
${license === undefined ? '' : `license = ${tomlString(license)}\n`}dependencies = ["httpx2>=2.12,<3", "jsonschema-rs>=0.60,<1"]
${speaksOverSockets(api) ? SOCKET_EXTRA : ''}
[tool.hatch.build.targets.wheel]
packages = [${tomlString(`src/${module}`)}]
`,
})
