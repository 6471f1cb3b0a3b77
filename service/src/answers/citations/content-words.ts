import { normalised } from '../../kernel/stream-safe.ts'
import { UNSPACED_SCRIPT } from '../../kernel/unspaced-script.ts'
import { joinPhrasalWords } from '../../content/text-terms/text-terms.ts'

/** Stop words, including those of questions: they do not tell what a sentence is about. */
const STOP_WORDS = new Set(
  `a about above according after again against ago all almost along already also although always am among an and another any anybody
  anyone anything are aren around as ask at away back be became because been before being below best between both but by
  can cannot could couldn did didn do does doesn doing don done down during each either else enough especially etc even ever
  every everything except few first for from further get gets getting give given gives go goes going got had hadn has hasn
  have haven having he help her here hers herself hi him himself his how however i if in indeed instead into is isn it its
  itself just kind know later least less let like likely ll lot made make makes making many mentioned described stated states may maybe me mean means might
  mine more most much must my myself near need needed needs neither no none nor not nothing now of off often ok on once one
  ones only onto or other others otherwise our ours ourselves out over own particular per perhaps please possible quite
  rather re really s said same say says see seem seems seen several shall she should shouldn show simply since so some
  somebody someone something sometimes still such sure t tell than thank thanks that the their theirs them themselves then
  there thereby therefore these they thing things think this those though through thus to together too toward towards
  trying under unless until up upon us use used useful user uses using usually ve very via want wants was wasn way ways we
  well were weren what whatever when whenever where whereas wherever whether which while who whoever whole whom whose why
  will with within without won would wouldn yes yet you your yours yourself`.split(/\s+/),
)

const WORD = /[\p{L}\p{N}_]+(?:['’.:/-][\p{L}\p{N}_]+)*/gu
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

const ENDINGS =
  /(?:izations?|ations?|ments?|nesses|ness|ings?|ions?|ers?|ors?|able|ible|ally|edly|ed|ly|es|s|e|y)$/

/** A word without its English inflectional endings: `rotates`, `rotating` and `rotation` get the same stem. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  let stem = word
  // "keys" loses its s first, "rotations" its s and then "ion".
  for (let round = 0; round < 2; round += 1) {
    const shorter = stem.replace(ENDINGS, '')
    if (shorter.length < 3) break
    stem = shorter
  }
  return stem
}

const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, number) => [word, String(number)]),
)

/** Most words: they are one part. */
const PLAIN_WORD = /^(?:[A-Za-z]?[a-z\d]*|[A-Z\d]+)$/

function partsOf(word: string): string[] {
  if (PLAIN_WORD.test(word)) return word === '' ? [] : [word]
  if (UNSPACED_SCRIPT.test(word))
    return [...wordSegmenter.segment(word)].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? [segment] : [],
    )
  const parts = word.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== '')
  return parts
}

const normal = (text: string) => normalised(text, 'NFKC').replaceAll('’', "'")

/** The content words of a text as stems, in order, with repetitions. Identifiers are split into their parts; "set up" is "setup". */
export function contentWordsOf(text: string): string[] {
  return [...joinPhrasalWords(normal(text)).matchAll(WORD)]
    .filter(([word]) => !STOP_WORDS.has(word.toLowerCase()))
    .flatMap(([word]) => partsOf(word.replace(/'s$/, '')))
    .map((part) => part.toLowerCase())
    .filter((part) => !STOP_WORDS.has(part) && (part.length > 1 || !/[a-z]/.test(part)))
    .map(stemOf)
}

/** Numbers without thousands separators. "1,000" and "1000" are the same. */
const numbersIn = (text: string) =>
  [...text.matchAll(/(?<![\p{L}_])\d+(?:[.,:]\d+)*/gu)].map(([number]) =>
    number.replaceAll(/,(?=\d{3}(?!\d))/g, '').replace(/\.0+$/, ''),
  )

/** `foo_bar`, `foo.bar`, `fooBar`, `--flag`, `HTTP2`, `MAX_SIZE`: terms that must match exactly. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}_-])--?[a-z][\w-]+|\b(?:[A-Za-z]\w*_\w*|_\w+|[A-Za-z]\w*(?:\.[A-Za-z]\w*)+|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*)\b/gu

const identifiersIn = (text: string) =>
  [...text.matchAll(IDENTIFIER)]
    .map(([identifier]) => identifier)
    // "e.g" and "i.e" look like identifiers.
    .filter((identifier) => identifier.length > 3)

/** Numbers and identifiers of a text. Evidence that lacks one of them does not support a claim. */
export function exactTermsOf(text: string): string[] {
  const plain = normal(text)
  return [...new Set([...numbersIn(plain), ...identifiersIn(plain)])]
}

/** An index of everything in a piece of evidence that a claim is compared with. Built once for each piece. */
export interface WordIndex {
  words: ReadonlySet<string>
  numbers: ReadonlySet<string>
  text: string
}

export function indexWords(text: string): WordIndex {
  const plain = normal(text)
  const lower = plain.toLowerCase()
  const written = [...lower.matchAll(/\p{L}+/gu)].flatMap(([word]) => NUMBER_WORDS.get(word) ?? [])
  return {
    words: new Set(contentWordsOf(plain)),
    numbers: new Set([...numbersIn(plain), ...written]),
    text: lower,
  }
}

/** Whether an exact term occurs in the evidence; the parts of an identifier may occur separately (`client` … `messages.create`). */
export function hasExactTerm(index: WordIndex, term: string): boolean {
  if (/^\d/.test(term)) return index.numbers.has(term) || index.text.includes(term.toLowerCase())
  if (index.text.includes(term.toLowerCase())) return true
  const parts = term.split(/\W+/).filter((part) => part !== '')
  return (
    parts.length > 1 &&
    !term.startsWith('-') &&
    parts.every((part) => index.text.includes(part.toLowerCase()))
  )
}
