import type { Api } from '../../model/api.js'
import type { File } from '../file.js'
import { divideClient } from './client.js'
import { divisionOf } from './division.js'
import { divideTypes } from './types.js'
import { divideValues } from './values.js'

/**
 * The files of a small document as they are; those of a large one in a folder for each tag, and the whole ones made of
 * the same parts under the names that they always have: what imports them need not know.
 */
export function divide(files: readonly File[], api: Api): readonly File[] {
  const divided = divider(api)
  return divided ? files.flatMap(divided) : files
}

/** As `divide`, of one file after the other, so that no whole text is kept for longer than it is looked at. */
export function divider(api: Api): ((file: File) => readonly File[]) | undefined {
  const division = divisionOf(api)
  if (division === undefined) return undefined
  return (one) => {
    switch (one.name) {
      case 'http.types.ts':
        return divideTypes(one, division)
      case 'http.client.ts':
        return divideClient(api, division)
      case 'operations.ts':
      case 'explanations.ts':
      case 'validators.ts':
        return divideValues(one, division)
      default:
        return [one]
    }
  }
}
