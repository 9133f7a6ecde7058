import type { Taken } from './take-over.js'

export type InitOptions = {
  /** What the service is called, in words. */
  readonly name: string
  /** Whether the folder is no package yet: then it gets a server, a workflow and a README too. */
  readonly isNew: boolean
  /** Documents that a team has; an example of a pair without them. */
  readonly taken: Taken | undefined
  /** What package.json asks for of each package. */
  readonly versions: Versions
}

export type Versions = Readonly<Record<PackageName, string>>

export type PackageName = 'twinspec' | 'typebox' | '@types/node' | 'tsx' | 'typescript'
