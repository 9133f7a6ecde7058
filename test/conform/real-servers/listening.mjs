/** Says where a server listens, as the test reads it, and ends the process with its parent. */
export const listening = (port, path = '/') => {
  console.log(`http://127.0.0.1:${port}${path}`)
  process.stdin.resume().on('end', () => process.exit())
}
