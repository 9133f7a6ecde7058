import * as types from '@acme/zkt/rpc.types'

/** Nothing is left of them when it runs. */
export const use = () => Object.keys(types)
