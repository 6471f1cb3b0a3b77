/** Titles that name a section of a site rather than a topic to ask about. */
const SITE_SECTIONS = new Set(
  `404|about these docs|about these documents|acknowledgements|acknowledgments|advanced|advanced topics|announcements|api
  api docs|api documentation|api reference|appendices|appendix|archive|archives|authors|background|basics|bibliography|blog
  breaking changes|changelog|change log|changes|code of conduct|colophon|community|concepts|conclusion|contents|contributors
  copyright|cookbook|cookbooks|credits|demo|demos|details|development|docs|documentation|document history|downloads|errata
  error|example|examples|external links|extras|faq|faqs|foreword|frequently asked questions|further information
  further reading|general|general information|getting help|glossary|guide|guides|hello world|help|history|how-to guides
  howto|howtos|how tos|imprint|index|keywords|legal|legacy|license|licence|licenses|links|login|log in|manual
  map|menu|misc|miscellaneous|modules|module index|more|more information|navigation|news|next steps|not found|note|notes
  other|packages|page not found|preface|privacy|privacy policy|project|projects|readme|recipes|reference|reference manual
  references|related|related links|release history|release notes|releases|resources|results|roadmap|samples|search
  search page|search results|see also|sign in|site map|sitemap|specification|specifications|standard library|status
  summary|symbols|table of contents|tables|tags|talks|team|terms|terms of service|test|tests|tips|tips and tricks|todo
  tools|tutorial|tutorials|untitled|usage|use cases|user guide|user guides|user manual|utilities|videos|what next|what now
  what's next|whitepapers`
    .split(/[|\n]/)
    .map((place) => place.trim()),
)

/** Words that mark a page about the documentation itself or its history, anywhere in a title. */
const ABOUT_DOCUMENTATION =
  /\b(?:index|indices|changelog|release notes|releases?|what(?:'s|s| is)? new|deprecat\w+|obsolete|superseded|legacy|archived?|draft|glossary|appendix|bibliography|copyright|licen[cs]es?|acknowledge?ments?|errata|todo|placeholder|untitled|lorem|assorted|miscellaneous|news|history|recent changes|table of contents|older versions?|howtos?|minutes|previous versions?|anti-?patterns?|these|this|here|above|below|following|it)\b/i

/** A page about one release, or of one day. */
const VERSION_OR_DATE =
  /\bv?\d+\.\d+|\b(?:version|release)s?\s+\d|\bv\d+\b|\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/i

/** Text that is not natural language: addresses, files, markup, placeholders. */
const NOT_PROSE =
  /[{}<>|[\]\\^~=#@*…]|https?:|\.(?:mdx?|rst|html?|txt|ipynb|ya?ml|json)\b|!|::|\$|--\w|_\w+_/i

const NUMBERING =
  /^(?:(?:chapter|appendix|section|part|step|module|lesson|unit|lab|task)\s+(?:\d+|[a-z])(?:\.\d+)*\s*[.:)–—-]?\s+|\d+(?:\.\d+)*[.)]\s+|\d+(?:\.\d+)+\s+)/i

/** Prefixes and suffixes that name the kind of page. */
const KIND_BEFORE = /^(?:tutorial|guide|how-?to|pattern|lab|walkthrough|recipe)s?\s*[:–—-]\s+/i
const KIND_AFTER =
  /(?<!\s)\s+(?:how[- ]?to(?: guide)?|tutorial|guide|manual page|manual|cookbook|walkthrough|reference|documentation|faq|basics|overview)$/i

const MAX_CHARACTERS = 80

/** A title in plain words: without markup, numbering, and notes in brackets. */
export function plainTitle(title: string): string {
  return title
    .normalize('NFC')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!<>|])/g, '$1')
    .replaceAll(/[`¶*]+/g, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(NUMBERING, '')
    .replace(KIND_BEFORE, '')
    .replace(/\(\d\w?\)(?: manual page)?$/i, '')
    .replace(/(?<!\s)\s*\((?![A-Z]{2,6}\))[^()]*\)$/, '')
    .replace(/(?<![\s.:;,–—-])[\s.:;,–—-]+$/, '')
    .trim()
}

/** The subject of a title: without a last word that only names the kind of page. */
export function stripKind(title: string): string {
  return title.replace(KIND_AFTER, '').trim()
}

/** Whether a question about this title can make sense to someone who has not seen the site. */
export function isAskable(title: string): boolean {
  const characters = Array.from(title).length
  if (characters < 3 || characters > MAX_CHARACTERS) return false
  if (!/\p{L}{2}/u.test(title)) return false
  if (SITE_SECTIONS.has(title.toLowerCase()) || SITE_SECTIONS.has(stripKind(title).toLowerCase()))
    return false
  return !ABOUT_DOCUMENTATION.test(title) && !VERSION_OR_DATE.test(title) && !NOT_PROSE.test(title)
}
