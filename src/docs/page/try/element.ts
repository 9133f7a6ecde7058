/** Creates an element with attributes and content; attributes that are false or undefined are omitted. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...inner: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  made.append(...inner.filter((one) => one !== undefined))
  return made
}

export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** A labelled field and its hint; `id` is unique on the page. */
export function field(
  id: string,
  label: string | readonly (Node | string)[],
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  hint?: string,
): HTMLElement {
  control.id = id
  const words = typeof label === 'string' ? [label] : label
  const beside =
    hint === undefined ? undefined : element('span', { class: 'hint', id: `${id}-hint` }, hint)
  if (beside) control.setAttribute('aria-describedby', beside.id)
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, ...words),
    control,
    beside,
  )
}

/** Disables corrections for fields with code or keys. */
export const PLAIN: Attributes = {
  autocomplete: 'off',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
}

export const choice = (options: readonly (readonly [value: string, words: string])[]) =>
  element('select', {}, ...options.map(([value, words]) => element('option', { value }, words)))
