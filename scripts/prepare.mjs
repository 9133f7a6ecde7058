/**
 * After `npm ci`: makes the empty cluster that the embedded store begins with, which takes PostgreSQL seconds, so that the first
 * `npm start` does not wait for it. Without the development dependencies there is no service, and nothing to make.
 */
const tsx = await import('tsx/esm/api').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
})

try {
  if (tsx) {
    tsx.register()
    const { freshCluster } = await import('../src/service/store/pglite.ts')
    await freshCluster()
  }
} catch (error) {
  // The first start makes it, and says what is wrong.
  console.warn(`The embedded store's first files are not made yet: ${error.message}`)
}
