/** Why a workflow could not be tried to its end: nothing is known of the server from it. */
export class NotTested extends Error {
  override readonly name = 'NotTested'
}
