import { type File, string } from '../emit/file.js'
import { CODE } from './manifest.js'

/** The module of a package with its name and version, for the option `clientPackage` of its clients. */
export const CLIENT_PACKAGE = 'client-package.js'

/** The code and the declaration of that module; the declaration is the same in every version. */
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
