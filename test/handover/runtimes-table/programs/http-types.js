import * as types from '@acme/zkt/http.types'

/** Nothing is left of them when it runs. */
export const use = () => Object.keys(types)
