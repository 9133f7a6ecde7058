/** The mock cannot run: its port is taken, or Prism did not start. */
export class MockError extends Error {
  override readonly name = 'MockError'
}
