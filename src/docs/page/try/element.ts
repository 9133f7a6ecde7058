/** An element with its attributes and its content; an attribute that is false or undefined is left out. */
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
