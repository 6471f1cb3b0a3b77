import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import type * as Linkedom from 'linkedom'

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0]

/** Few pages need it, and reading it takes a third of the time in which a parser starts. */
const loadDom = () => createRequire(import.meta.url)('linkedom') as typeof Linkedom

/**
 * The article of a page that marks none, found by the density of its text. A last resort: it drops what documentation hides
 * in tabs, so it is only used if most of a page is links.
 *
 * @returns HTML, or undefined if the page has no article
 */
export function readableArticle(html: string): string | undefined {
  const { document } = loadDom().parseHTML(html)
  return new Readability(document as ReadabilityDocument, { keepClasses: true }).parse()?.content ?? undefined
}
