import { attribute, classesOf, hasClass, idOf, type HtmlElement } from './html-tree.ts'

/** Elements that never contain a page's text. */
const LEFT_OUT_TAGS = new Set(
  (
    'script style noscript template head link meta base title nav button input select textarea datalist ' +
    'iframe frame frameset object embed audio video canvas map dialog search'
  ).split(' '),
)

const LEFT_OUT_ROLES = new Set(
  'navigation search menu menubar toolbar tablist tooltip dialog alertdialog'.split(' '),
)

/** Class names and ids that documentation generators give to page furniture, even within the content element. */
const LEFT_OUT_NAMES = new Set(
  // permalinks beside headings
  (
    'headerlink header-anchor hash-link anchorjs-link anchor-link heading-anchor permalink headeranchor ' +
    // "edit this page" and similar
    'edit-this-page theme-edit-this-page edit-link edit-page edit-page-link edit_page_link editlink page-edit ' +
    'md-content__button md-source-file last-updated vp-doc-footer vpdocfooter page-meta view-source viewcode-link ' +
    'viewcode-back git-revision-date-localized-plugin ' +
    // breadcrumbs, previous and next page
    'breadcrumb breadcrumbs wy-breadcrumbs theme-doc-breadcrumbs bd-breadcrumbs rustdoc-breadcrumbs hideme prev-next prev-next-area prev-next-bottom ' +
    'prev-next-footer pagination pagination-nav pagination-links pager rst-footer-buttons related-pages page-nav ' +
    'navheader navfooter nav-chapters mobile-nav-chapters nav-wrapper nav-wide-wrapper previous_page next_page toc_page ' +
    'theme-doc-footer theme-doc-toc-mobile theme-doc-version-badge sphinxsidebar wy-nav-side wy-nav-top ' +
    // tables of contents of the page itself
    'toc-drawer table-of-contents table-of-content page-toc local-toc bd-sidebar-secondary vpdocaside ' +
    // decoration of code
    'copybtn copy-button copy-btn btn-clipboard clipboard-copy linenos lineno linenodiv linenumber line-number ' +
    'line-numbers-rows line-numbers-wrapper gutter rouge-gutter lntd-gutter ' +
    // asides of the site
    'skip-link skiplink skip-to-content skip-nav searchbox search-box search-form nosearch cookie-banner cookie-consent ' +
    'feedback was-this-helpful page-feedback newsletter share-buttons social-links sr-only visually-hidden ' +
    'screen-reader-text screen-reader-only mw-editsection noprint navbox catlinks'
  ).split(' '),
)

/** The same for pages without a marked content element: within marked content these names do not mean page furniture. */
const FRAME_NAMES = new Set(
  (
    'header footer sidebar side-bar navbar nav navigation navigator menu mainmenu submenu topbar top-bar toolbar masthead ' +
    'banner site-header site-footer page-header page-footer colophon copyright related logo search ad ads advert social ' +
    'leftnav leftnavigation rightnav nav_flow breadcrumbtrail tagline nav-bar top-nav bottom-nav'
  ).split(' '),
)

const FRAME_TAGS = new Set(['header', 'footer', 'aside'])
const KEPT_ASIDES = /note|admonition|topic|callout|aside|warning|tip|caution|important|sidebar-content/i
const CONTENTS_NAMES = new Set([
  'toc',
  'contents',
  'toctree-wrapper-local',
  'minitoc',
  'mini-toc',
  'toc-container',
])
/** Panels that are shown on click. */
const SHOWN_ON_CLICK = /\b(?:tab|tabs|tabbed|collaps|accordion|expand|toggle|details|panel|foldable)/i

/** How much of the page's surroundings is removed. */
export interface Pruning {
  /** No element of the page is marked as content: headers, footers and asides are removed as well. */
  isWholeBody: boolean
  /** Tables of contents are kept, because the page has little else. */
  keepsContents: boolean
}

/** Whether an element and its contents are not part of the page's text. */
export function isBoilerplate(element: HtmlElement, pruning: Pruning): boolean {
  const tag = element.tagName
  if (tag === 'nav' && pruning.keepsContents && !pruning.isWholeBody) return false
  if (LEFT_OUT_TAGS.has(tag)) return true
  if (element.attrs.length === 0) return pruning.isWholeBody && FRAME_TAGS.has(tag)
  const role = attribute(element, 'role')
  if (role !== undefined && LEFT_OUT_ROLES.has(role)) return true
  if (isHidden(element, role)) return true
  if (isEmptyHeadingMark(element)) return true
  return hasBoilerplateName(element, pruning)
}

function hasBoilerplateName(element: HtmlElement, pruning: Pruning): boolean {
  if (element.tagName === 'body' || element.tagName === 'main') return false
  const id = idOf(element)
  const names = id === undefined ? classesOf(element) : [...classesOf(element), id]
  const isSection = element.tagName === 'section' || /^h[1-6]$/.test(element.tagName)
  for (const name of names) {
    // Ids of sections and headings are made from their titles: a chapter called "Pagination" is not a pager.
    if (isSection && name === id) continue
    const plain = name.toLowerCase()
    if (LEFT_OUT_NAMES.has(plain)) return true
    if (CONTENTS_NAMES.has(plain) && !pruning.keepsContents) return true
    if (pruning.isWholeBody && FRAME_NAMES.has(plain)) return true
  }
  if (!pruning.isWholeBody) return false
  if (element.tagName === 'aside') return !KEPT_ASIDES.test(names.join(' '))
  // An article may have its own header, which contains its title.
  if (element.tagName === 'header' && element.parentNode?.nodeName === 'article') return false
  return (
    FRAME_TAGS.has(element.tagName) || ['banner', 'contentinfo'].includes(attribute(element, 'role') ?? '')
  )
}

function isHidden(element: HtmlElement, role: string | undefined): boolean {
  if (attribute(element, 'aria-hidden') === 'true') return true
  const isHiddenByAttribute = attribute(element, 'hidden') !== undefined
  if (!isHiddenByAttribute && !/display:\s*none/i.test(attribute(element, 'style') ?? '')) return false
  if (role === 'tabpanel' || attribute(element, 'hidden') === 'until-found') return false
  return !SHOWN_ON_CLICK.test(attribute(element, 'class') ?? '')
}

/** `<a class="anchor" href="#install"></a>`: a link to the enclosing heading. */
function isEmptyHeadingMark(element: HtmlElement): boolean {
  if (element.tagName !== 'a' || !hasClass(element, 'anchor', 'direct-link', 'self-link', 'link-anchor'))
    return false
  return attribute(element, 'href')?.startsWith('#') === true && element.childNodes.length <= 1
}
