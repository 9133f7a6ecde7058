import type { Checks } from './checks.js'
import type { TryData } from './data.js'
import { httpRequest } from './http-request.js'
import type { InputForm } from './input-form.js'
import { rpcComplaints, rpcRequest } from './rpc-request.js'
import type { WhereForm } from './where-form.js'
import type { Complaint, Wire } from './wire.js'

/** What the form would send as it stands, and all that is wrong with it. */
export async function prepare(
  data: TryData,
  checks: Checks,
  { where, input }: { readonly where: WhereForm; readonly input: InputForm },
): Promise<Prepared> {
  const at = where.address()
  const base = 'url' in at ? at.url : 'https://SERVER'
  const lost: readonly Complaint[] =
    'url' in at ? [] : [{ field: 'server', whose: '', pointer: '', message: at.wrong }]
  const given = input.given()
  if (data.kind === 'rpc')
    return {
      wire: rpcRequest(data, base, given.body),
      complaints: rpcComplaints(data, checks, given.body),
      variant: undefined,
      lost,
    }
  const credentials = where.credentials()
  return { ...(await httpRequest(data, checks, base, { ...given, credentials })), lost }
}

export type Prepared = {
  /** Undefined where nothing can be sent. */
  readonly wire: Wire | undefined
  readonly complaints: readonly Complaint[]
  /** The request variant that the body has. */
  readonly variant: string | undefined
  /** What is wrong with the server, which nothing can be sent to. */
  readonly lost: readonly Complaint[]
}
