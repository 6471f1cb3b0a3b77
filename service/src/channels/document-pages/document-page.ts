import { html, raw } from 'hono/html'
import type { ShownPart } from '../../content/documents/documents.ts'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import type { WrittenSection } from './write-sections.ts'

const STYLE = `
  main { max-width: 46rem; margin-top: 6vh; } header { border-bottom: 1px solid var(--line); margin: 0 0 1.5rem; }
  header h1 { margin-bottom: 0.5rem; } .facts { color: var(--quiet); font-size: 0.95rem; }
  .facts span:not(:last-child)::after { content: ' · '; }
  :root { --mark: #fff0b3; --marked: #ffd24d; }
  @media (prefers-color-scheme: dark) { :root { --mark: #4a3c00; --marked: #ffd24d; } }
  mark { background: var(--mark); color: inherit; } ::target-text { background: var(--marked); color: #1c2128; }
  .cited { border-inline-start: 4px solid var(--accent); margin-inline-start: -1.25rem; padding-inline-start: calc(1.25rem - 4px); }
  section { border: 0; margin: 0; padding: 0; } section > h2:first-child { margin-top: 1.75rem; }
  h2, h3, h4, h5, h6 { line-height: 1.3; margin: 1.75rem 0 0.6rem; } h3 { font-size: 1.08rem; } h4, h5, h6 { font-size: 1rem; }
  [id] { scroll-margin-top: 1.5rem; } .cited, mark[id] { scroll-margin-top: 30vh; } pre { margin: 0 0 1rem; } code { font: 0.9em ui-monospace, monospace; }
  p code, li code, td code { background: var(--panel); border-radius: 4px; padding: 0.1em 0.3em; }
  mark code, code mark { background: var(--mark); }
  .wide { overflow-x: auto; margin: 0 0 1rem; } .wide table { overflow-wrap: normal; } .wide td { min-width: 8rem; } th, td { text-align: start; vertical-align: top; }
  ul, ol { padding-inline-start: 1.5rem; margin: 0 0 1rem; } blockquote { border-inline-start: 3px solid var(--line); margin: 0 0 1rem; padding-inline-start: 1rem; }
  hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
  nav.parts { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem; }
  nav.parts a, .facts a { display: inline-block; min-height: 24px; }
`

// Additional anchors of the same place are on empty elements before it.
const sectionMarkup = ({ ids: [id, ...others], headings, text, isCited }: WrittenSection) =>
  html`${others.map((other) => html`<span id="${other}"></span>`)}
    <section ${id === undefined ? '' : html`id="${id}"`} ${isCited ? raw('class="cited"') : ''}>
      ${headings.map(({ text: heading, level }) => html`${raw(`<h${level}>`)}${heading}${raw(`</h${level}>`)}`)}
      ${raw(text)}
    </section>`

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

function factsOf({ document }: ShownPart, hasOriginal: boolean): Markup[] {
  const { url, version_label: version, indexed_at: readAt, base_name: baseName, id } = document
  return [
    html`${baseName}`,
    ...(URL.canParse(url) ? [] : [html`${url}`]),
    ...(version === null ? [] : [html`version ${version}`]),
    ...(readAt === null ? [] : [html`read on ${DAY.format(readAt)} (UTC)`]),
    ...(hasOriginal ? [html`<a href="/documents/${id}/original">Download the original</a>`] : []),
  ]
}

function partsNavigation({ document, part, parts }: ShownPart) {
  if (parts === 1) return ''
  const to = (other: number, label: string) =>
    other < 1 || other > parts ? '' : html`<a href="/documents/${document.id}?part=${other}">${label}</a>`
  return html`<nav class="parts" aria-label="Parts of this document">
    ${to(part - 1, 'Previous part')}<span>Part ${part} of ${parts}</span>${to(part + 1, 'Next part')}
  </nav>`
}

/** A document as it was indexed. The text is in the language of the document, the labels around it are English. */
export function documentPage(
  shown: ShownPart,
  sections: readonly WrittenSection[],
  { hasOriginal }: { hasOriginal: boolean },
): Markup {
  const { document } = shown
  const cited = (sections.find(({ isFound }) => isFound) ?? sections.find(({ isCited }) => isCited))?.opensAt
  return plainPage(
    document.title,
    html`<style>
        ${raw(STYLE)}
      </style>
      <header>
        <h1 lang="${document.language ?? ''}" dir="auto">${document.title}</h1>
        <p class="facts">${factsOf(shown, hasOriginal).map((fact) => html`<span>${fact}</span>`)}</p>
        ${cited === undefined ? '' : html`<p><a href="#${encodeURIComponent(cited)}">Go to the cited passage</a></p>`}
      </header>
      <article lang="${document.language ?? ''}" dir="auto">${sections.map(sectionMarkup)}</article>
      ${partsNavigation(shown)}`,
  )
}

/** For a document that has its own web address: links to it, instead of copying third-party pages or redirecting silently. */
export const externalDocumentPage = ({
  title,
  language,
  address,
}: {
  title: string
  language: string | null
  address: string
}): Markup =>
  plainPage(
    title,
    html`<h1 lang="${language ?? ''}" dir="auto">${title}</h1>
      <p>This page is at <a href="${address}" rel="nofollow noopener noreferrer">${address}</a>.</p>`,
  )

/** The same page for a missing document and for one that the visitor may not read, so that it does not reveal which. */
export const documentNotFoundPage = (signIn: string | undefined): Markup =>
  plainPage(
    'Nothing to read here',
    html`<h1>Nothing to read here</h1>
      <p>There is no document at this address, or it is not public. It may have been deleted or moved.</p>
      ${
        signIn === undefined
          ? ''
          : html`<p>Members of its team can <a href="${signIn}">sign in to read it</a>.</p>`
      }`,
  )

export const tooManyPagesPage = (): Markup =>
  plainPage(
    'Too many pages',
    html`<h1>Too many pages</h1>
      <p>Your network has opened too many pages within a minute. Wait a little, then reload this page.</p>`,
  )
