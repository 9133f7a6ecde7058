/**
 * After `npm ci`: makes the empty cluster that the embedded store begins with, which takes PostgreSQL seconds, so that the first
 * `npm start` does not wait for it. Without the development dependencies there is no service, and nothing to make.
 */
const missing = (error) => String(error.code).endsWith('MODULE_NOT_FOUND')

try {
  const { register } = await import('tsx/esm/api')
  register()
  const { freshCluster } = await import('../src/service/store/cluster.ts')
  await freshCluster()
} catch (error) {
  // The first start makes it, and says what is wrong.
  if (!missing(error))
    console.warn(`The embedded store's first files are not made yet: ${error.message}`)
}
