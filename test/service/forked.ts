import { RpcError } from 'twinspec/runtime/errors'

/** What the forked process of fork.test.ts tells of itself. */
process.send?.({
  kind: 'report',
  args: process.argv.slice(2),
  variables: Object.keys(process.env),
  imported: RpcError.name,
  cwd: process.cwd(),
})
process.on('message', () => process.exit(7))
