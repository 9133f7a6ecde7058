import type { Operation } from '../model/api.js'
import { type Html, html } from '../text/html.js'
import { anchorsOf, type Page } from './site.js'

/** The place for the try-it. It needs a script, so the page hides it without one. */
export const tryPart = (page: Page, { id }: Operation): Html =>
  html`<section class="try" aria-labelledby="try" data-try="${page.up}${encodeURI(tryFile(page, id))}"${page.site.options.server && html` data-server="${page.site.options.server}"`}><h2 id="try">Try it</h2><p>Sends a request to a server of your choice, and compares the response with the document.</p><button type="button" class="open-try" aria-expanded="false" aria-controls="try-form">Open the form</button><div id="try-form"></div></section>`

/** The file with the try-it data of an operation, relative to the top of the site. */
export const tryFile = ({ site }: Pick<Page, 'site'>, id: string): string =>
  (site.operationFiles.get(id) ?? '').replace(/^operations\/(.*)\.html$/, 'try/$1.js')

/** For each example of a page, in order, a link that fills the try-it with it. */
export const tryLinks = (names: readonly string[]): readonly Html[] =>
  anchorsOf('try', names).map(
    (id, at) =>
      html`<p class="try-link"><a id="${id}" href="#${id}" data-at="${at}">Try it with ${names[at]}</a></p>`,
  )
