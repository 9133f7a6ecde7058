import { type File, string } from '../emit/file.js'
import { CODE } from './manifest.js'

/** The module of a package that says which package and version it is, for the option `clientPackage` of its clients. */
export const CLIENT_PACKAGE = 'client-package.js'

/** Its code and its declaration, which is the same in every version. */
export const clientPackageFiles = (name: string, version: string): readonly File[] => [
  {
    name: `${CODE}/${CLIENT_PACKAGE}`,
    text: `export const clientPackage = ${string(`${name}/${version}`)}\n`,
  },
  {
    name: `${CODE}/client-package.d.ts`,
    text: `/** The name and version of this package, for the option \`clientPackage\`: \`createHttpClient({ clientPackage })\`. */\nexport declare const clientPackage: string\n`,
  },
]
