/** A link to every heading, parameter and property that has an address of its own. */
export function placeLinks(): void {
  for (const place of document.querySelectorAll('article :is(h2, h3)[id], .tree li[id]')) {
    const line = place.matches('li') ? place.querySelector(':scope > .row') : place
    const link = document.createElement('a')
    link.className = 'place-link'
    link.href = `#${place.id}`
    link.textContent = '#'
    link.ariaLabel = `Link to ${line?.querySelector('.key')?.textContent ?? place.textContent}`
    // A summary is a button already.
    if (!place.closest('summary')) line?.append(link)
  }
}

/** A button in each section with folded parts that opens all of them, or closes them again. */
export function expandButtons(): void {
  for (const section of document.querySelectorAll('article section:has(.tree details)')) {
    const heading = section.querySelector(':scope > h2')
    if (!heading) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'expand'
    let isOpen = false
    const show = () => {
      button.textContent = isOpen ? 'Collapse all' : 'Expand all'
    }
    button.addEventListener('click', () => {
      isOpen = !isOpen
      for (const one of section.querySelectorAll<HTMLDetailsElement>('.tree details'))
        one.open = isOpen
      show()
    })
    show()
    heading.after(button)
  }
}
