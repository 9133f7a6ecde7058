import type { CancelMessage, ProgressMessage } from '../runtime/operation.js'
import type { Api, RpcOperation } from './api.js'
import { isObject } from './json.js'
import { schemaAtParams } from './subscriptions.js'

/** `x-cancel` and `x-progress` of a document, without those that no client could use; `lint` says why. */
export const readCallMessages = (
  document: Readonly<Record<string, unknown>>,
  api: Methods,
): { readonly cancel?: CancelMessage; readonly progress?: ProgressMessage } => {
  const cancel = readCancel(document['x-cancel'])
  const progress = readProgress(document['x-progress'])
  return {
    ...(cancel && cancelFaults(cancel, api).length === 0 && { cancel }),
    ...(progress && progressFaults(progress, api).length === 0 && { progress }),
  }
}

type Methods = Pick<Api, 'operations' | 'serverMethods' | 'schemas'>

/** Undefined for another shape. */
export const readCancel = (value: unknown): CancelMessage | undefined => {
  const { notification, id } = isObject(value) ? value : {}
  return typeof notification === 'string' && typeof id === 'string'
    ? { notification, id }
    : undefined
}

/** Undefined for another shape. */
export const readProgress = (value: unknown): ProgressMessage | undefined => {
  const { notification, token, value: at, request } = isObject(value) ? value : {}
  return typeof notification === 'string' &&
    typeof token === 'string' &&
    typeof at === 'string' &&
    typeof request === 'string'
    ? { notification, token, value: at, request }
    : undefined
}

/** The member of an extension that leads to nothing, and why. */
type MessageFault = { readonly member: string; readonly message: string }

export const cancelFaults = (
  { notification, id }: CancelMessage,
  api: Methods,
): readonly MessageFault[] => notificationFaults(notification, { id }, api)

export const progressFaults = (
  { notification, token, value, request }: ProgressMessage,
  api: Methods,
): readonly MessageFault[] => {
  const takesToken = methodsOf(api).some(
    (one) => !one.isNotification && leadsTo(one, request, api.schemas),
  )
  const own = takesToken
    ? []
    : [
        {
          member: 'request',
          message: `no method has the param ${request}: name one that some have`,
        },
      ]
  // The value may be all params.
  const places = { token, ...(value !== '' && { value }) }
  return [...notificationFaults(notification, places, api), ...own]
}

const notificationFaults = (
  method: string,
  places: Readonly<Record<string, string>>,
  api: Methods,
): readonly MessageFault[] => {
  const operation = methodsOf(api).find((one) => one.method === method && one.isNotification)
  if (operation === undefined)
    return [
      {
        member: 'notification',
        message: `the document has no notification ${method}: add the method, without a result`,
      },
    ]
  return Object.entries(places).flatMap(([member, pointer]) =>
    leadsTo(operation, pointer, api.schemas)
      ? []
      : [
          {
            member,
            message: `${pointer || "''"} leads to nothing in the params of ${method}: begin with the name or the position of a param`,
          },
        ],
  )
}

const leadsTo = (operation: RpcOperation, pointer: string, schemas: Api['schemas']): boolean =>
  pointer !== '' && schemaAtParams(operation, pointer, schemas) !== undefined

const methodsOf = ({ operations, serverMethods }: Methods): readonly RpcOperation[] => [
  ...operations.filter((one) => one.kind === 'rpc'),
  ...serverMethods,
]
