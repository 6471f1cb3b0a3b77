import type { PageMetadata } from './parsing-blocks.ts'
import { attribute, descendants, findElement, idOf, relOf, textOf } from './html-tree.ts'
import type { HtmlDocument, HtmlElement } from './html-tree.ts'

/** Longer addresses are crawler traps, not pages. */
const MAX_URL_LENGTH = 2048
/** Maximum length of the content of a `<meta http-equiv=refresh>`, including its address. */
const MAX_REFRESH_CHARACTERS = 3_000
/** Maximum links of one page; no crawl uses more, and each costs time. */
export const MAX_PAGE_LINKS = 10_000
/** Maximum length of the name of a generator. */
const MAX_GENERATOR_CHARACTERS = 60
/** A page with less text than this has not been rendered yet. */
const MIN_TEXT_LENGTH = 200

/** Resolves a page's addresses against its `<base>`; the result of each is cached. */
export type Resolve = (address: string) => string | undefined

export function createResolve(tree: HtmlDocument, url: string): Resolve {
  const baseElement = findElement(
    tree,
    (each) => each.tagName === 'base' && attribute(each, 'href') !== undefined,
  )
  const base = absolute(baseElement === undefined ? '' : (attribute(baseElement, 'href') ?? ''), url) ?? url
  const known = new Map<string, string | undefined>()
  return (address) => {
    if (known.has(address)) return known.get(address)
    const resolved = absolute(address.trim(), base)
    known.set(address, resolved)
    return resolved
  }
}

function absolute(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined
}

/** `none` stands for both `noindex` and `nofollow`. */
const isSaid = (robots: ReadonlySet<string>, word: 'noindex' | 'nofollow') =>
  robots.has(word) || robots.has('none')

/** What a page declares. Of a page with little text, `mayNeedScript` tells whether its scripts may write some. */
type Declared = Omit<PageMetadata, 'looksEmptyWithoutScript'> & { mayNeedScript: boolean }

/** Reads what a page declares for crawlers. */
export function readDeclared(tree: HtmlDocument, resolve: Resolve): Declared {
  const links = new Set<string>()
  const frames = new Set<string>()
  const robots = new Set<string>()
  let canonical: string | undefined
  let refresh: string | undefined
  let generator: string | undefined
  let hasScript = false
  for (const element of descendants(tree)) {
    switch (element.tagName) {
      case 'a':
      case 'area':
        addPage(links, resolve, isNofollow(element) ? undefined : attribute(element, 'href'))
        break
      case 'frame':
      case 'iframe':
        addPage(frames, resolve, attribute(element, 'src'))
        break
      case 'link':
        if (relOf(element).includes('canonical')) canonical ??= pageOf(resolve, attribute(element, 'href'))
        // The page in another language. Feeds and printed versions are alternates too, but without a language.
        else if (relOf(element).includes('alternate') && attribute(element, 'hreflang') !== undefined)
          addPage(links, resolve, attribute(element, 'href'))
        break
      case 'meta':
        for (const word of robotsWords(element)) robots.add(word)
        refresh ??= pageOf(resolve, refreshTarget(element))
        generator ??= generatorOf(element)
        break
      case 'script':
        hasScript ||= attribute(element, 'src') !== undefined || element.childNodes.length > 0
        break
      default:
        break
    }
  }
  return {
    links: [...links],
    canonical,
    noindex: isSaid(robots, 'noindex'),
    nofollow: isSaid(robots, 'nofollow'),
    refresh,
    generator,
    frames: [...frames],
    mayNeedScript: hasScript && looksEmpty(tree),
  }
}

/** @param textLength that of the document parsed from the page */
export const metadataOf = ({ mayNeedScript, ...declared }: Declared, textLength: number): PageMetadata => ({
  ...declared,
  looksEmptyWithoutScript: mayNeedScript && textLength < MIN_TEXT_LENGTH,
})

function pageOf(resolve: Resolve, address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const hash = address.indexOf('#')
  const page = hash < 0 ? address : address.slice(0, hash)
  if (page.length > MAX_URL_LENGTH) return undefined
  const url = resolve(page)
  return url === undefined || url.length > MAX_URL_LENGTH || url.startsWith('mailto:') ? undefined : url
}

function addPage(pages: Set<string>, resolve: Resolve, address: string | undefined) {
  if (pages.size >= MAX_PAGE_LINKS) return
  const url = pageOf(resolve, address)
  if (url !== undefined) pages.add(url)
}

function isNofollow(element: HtmlElement): boolean {
  return element.attrs.length > 1 && relOf(element).includes('nofollow')
}

/** Said to all robots, or to this one: as in `robots.txt`, its name is `citewell`. */
const ROBOTS = new Set(['robots', 'citewell'])

function robotsWords(meta: HtmlElement): string[] {
  if (!ROBOTS.has(attribute(meta, 'name')?.trim().toLowerCase() ?? '')) return []
  return (attribute(meta, 'content') ?? '').toLowerCase().split(/[\s,]+/)
}

function generatorOf(meta: HtmlElement): string | undefined {
  if (attribute(meta, 'name')?.toLowerCase() !== 'generator') return undefined
  const said = (attribute(meta, 'content') ?? '').slice(0, MAX_GENERATOR_CHARACTERS)
  return said.replaceAll(/[^\p{L}\p{N} .,+:_()/-]/gu, ' ').trim() || undefined
}

function refreshTarget(meta: HtmlElement): string | undefined {
  if (attribute(meta, 'http-equiv')?.toLowerCase() !== 'refresh') return undefined
  const found = /^[\s\d.]*(?:[;,]\s*|\s(?!\s))(?:url\s*=\s*)?(?:"([^"]*)"|'([^']*)'|(\S+))/i.exec(
    attribute(meta, 'content')?.slice(0, MAX_REFRESH_CHARACTERS) ?? '',
  )
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

const MOUNTS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'main-app'])

/** Hardly any text, and either an empty mount point or a request to enable scripts. */
function looksEmpty(tree: HtmlDocument): boolean {
  const body = findElement(tree, (element) => element.tagName === 'body')
  if (body === undefined || textOf(body).replaceAll(/\s+/g, ' ').trim().length >= MIN_TEXT_LENGTH)
    return false
  return (
    findElement(
      body,
      (element) =>
        MOUNTS.has(idOf(element) ?? '') ||
        /^(?:app-root|redoc|rapi-doc|elements-api)$/.test(element.tagName) ||
        (element.tagName === 'noscript' && /javascript|script/i.test(noscriptText(element))),
    ) !== undefined ||
    findElement(body, (element) => /^(?:h[1-6]|p|pre|li|td)$/.test(element.tagName)) === undefined
  )
}

function noscriptText(element: HtmlElement): string {
  return element.childNodes.map((child) => textOf(child)).join(' ')
}
