/** Words that are never capitalized within a sentence. */
const FUNCTION_WORDS = new Set(
  `a about across after against all an and any are as at before behind between by can do does during for from has have
  how if in into is its multiple near of off on onto or other our out over own per should than that the their them through
  to under up using via vs what when where which while who why will with within without you your`.split(
    /\s+/,
  ),
)

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu

/** Inner capitals (SQLite), all capitals (API) and digits (EC2) belong to a word; a first capital may be due to title case. */
const MAY_BE_TITLE_CASE = /^\p{Lu}[\p{Ll}'’]+(?:-\p{L}\p{Ll}*)*$/u

interface Seen {
  small: number
  large: number
}

/** Case of words as in running text. */
export interface Recase {
  /** Removes capitals that are only due to title case; a name keeps its own. */
  phrase(phrase: string): string
  /** Whether a word is a name: it has inner capitals, or running text capitalizes it. */
  isName(word: string): boolean
}

/**
 * @param prose - text of the base's pages without code: `vite` in a command line is still Vite in a sentence
 * @example
 * createRecase('Set the signing key. Use the Acme console.').phrase('Signing Key in Acme') // 'signing key in Acme'
 */
export function createRecase(prose: string): Recase {
  const seen = countCases(prose)

  /** Positive if the word is mostly in lower case, negative if mostly capitalized, 0 if unknown. */
  function tendency(word: string): number {
    const small = word.toLowerCase()
    const counts = seen.get(small) ?? seen.get(small.endsWith('s') ? small.slice(0, -1) : `${small}s`)
    return counts === undefined ? 0 : counts.small - counts.large
  }

  return {
    phrase: (phrase) => {
      const words = phrase.match(TOKEN) ?? []
      const isTitleCase = words.some((word) => MAY_BE_TITLE_CASE.test(word) && tendency(word) > 0)
      return phrase.replaceAll(TOKEN, (word) => {
        const small = word.toLowerCase()
        if (FUNCTION_WORDS.has(small) && (word.length === 1 || word !== word.toUpperCase())) return small
        if (!MAY_BE_TITLE_CASE.test(word)) return word
        const leaning = tendency(word)
        return leaning > 0 || (leaning === 0 && isTitleCase) ? small : word
      })
    },
    isName: (word) => {
      if (!/\p{Lu}/u.test(word)) return false
      return !MAY_BE_TITLE_CASE.test(word) || tendency(word) < 0
    },
  }
}

function countCases(prose: string): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  let endOfPrevious = -2
  let isInSentence = false
  for (const match of prose.matchAll(TOKEN)) {
    const word = match[0]
    const end = match.index + word.length
    const isSmall = word === word.toLowerCase()
    const followsDirectly = match.index === endOfPrevious + 1 && prose[endOfPrevious] === ' '
    // A capital after a lower-case word (or after such a capital) belongs to the word: no sentence or heading begins there.
    const isOwnCapital: boolean = !isSmall && followsDirectly && isInSentence
    if ((isSmall || isOwnCapital) && isProseWord(prose, match.index, end)) {
      const counts = seen.get(word.toLowerCase()) ?? { small: 0, large: 0 }
      counts[isSmall ? 'small' : 'large'] += 1
      seen.set(word.toLowerCase(), counts)
    }
    endOfPrevious = end
    isInSentence = isSmall || isOwnCapital
  }
  return seen
}

/** Whether a word is a word of prose, and not a part of an address or of code such as `docs.acme.com` or `acme_key`. */
function isProseWord(prose: string, start: number, end: number): boolean {
  return (
    /^$|[\s("'“‘]/.test(prose.charAt(start - 1)) &&
    /^(?:$|[\s)"'”’]|[,.;:!?](?:\s|$))/.test(prose.slice(end, end + 2))
  )
}
