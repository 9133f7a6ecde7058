/** `npm start`: runs the service from its built folder. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtService } from './built-service.mjs'

try {
  await import(pathToFileURL(join(builtService(), 'dist/src/service/main.js')).href)
} catch (error) {
  if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error
  console.error(
    `npm start: ${error.path} cannot be written: install the service into a folder of its own`,
  )
  console.error('with npm run install-service (see docs/operating.md), and start it there')
  process.exitCode = 2
}
