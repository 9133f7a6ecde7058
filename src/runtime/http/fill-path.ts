import { fillTemplate } from '../shared/template.js'

/** A path template with its parameters in place. */
export const fillPath = (template: string, path: Readonly<Record<string, string>>): string =>
  fillTemplate(template, (name, whole) =>
    Object.hasOwn(path, name) ? (path[name] ?? whole) : whole,
  )
