import { Refusal } from '../../kernel/refusal.ts'
import { COMMON_WORDS, RUNS } from './common-passwords.ts'

/** In characters as people count them. */
const PASSWORD_MIN_CHARACTERS = 12
const PASSWORD_MAX_CHARACTERS = 128

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Says no to passwords that are guessed first: too short, one piece over and over, a row of the keyboard, or common words with
 * digits around them. Nothing else is asked: no capitals, no signs.
 *
 * @throws Refusal BAD_REQUEST that says what to do instead
 */
export function requireGoodPassword(password: string, email: string): void {
  const because = whyWeak(password.normalize('NFKC'), email)
  if (because !== undefined) throw new Refusal('BAD_REQUEST', { because })
}

function whyWeak(password: string, email: string): string | undefined {
  const { length } = Array.from(password)
  if (length < PASSWORD_MIN_CHARACTERS) {
    return `Take ${PASSWORD_MIN_CHARACTERS} characters or more: a few words in a row are easy to remember.`
  }
  if (length > PASSWORD_MAX_CHARACTERS) return `Take at most ${PASSWORD_MAX_CHARACTERS} characters.`
  const plain = password.toLowerCase()
  if (isRepeated(plain) || isRun(plain)) return 'This follows a pattern that is guessed first. Take another.'
  const [own = ''] = email.toLowerCase().split('@')
  const words = [...COMMON_WORDS, own, email.toLowerCase()]
  const middle = plain.replaceAll(/^[^\p{Letter}]+|(?<=\p{Letter})[^\p{Letter}]+$/gu, '')
  const isCommon = [plain, unleet(plain), unleet(middle)].some((text) => isMadeOfWords(text, words))
  return isCommon ? 'This is among the passwords that are guessed first. Take another.' : undefined
}

/** `abcabcabcabc`: a piece of up to a third of the length, over and over. */
const isRepeated = (text: string) => /^(.{1,4}?)\1{2,}.{0,3}$/su.test(text)

/** `123456789012`, `qwertyuiop12`: three quarters of it are rows of neighbours. */
function isRun(text: string): boolean {
  let inRuns = 0
  for (let at = 0; at < text.length - 3;) {
    const piece = longestRun(text, at)
    if (piece >= 4) inRuns += piece
    at += Math.max(1, piece)
  }
  return inRuns >= text.length * 0.75
}

function longestRun(text: string, at: number): number {
  let longest = 0
  for (const run of RUNS) {
    let length = 4
    while (at + length <= text.length && run.includes(text.slice(at, at + length))) {
      longest = Math.max(longest, length)
      length += 1
    }
  }
  return longest
}

/** Nothing but these words, and a few digits and signs. */
function isMadeOfWords(text: string, words: readonly string[]): boolean {
  let rest = text
  for (const word of words
    .filter(({ length }) => length > 2)
    .toSorted((one, other) => other.length - one.length)) {
    rest = rest.replaceAll(word, ' ')
  }
  if (rest === text) return false
  return rest.replaceAll(/[^\p{Letter}]/gu, '').length === 0 && rest.replaceAll(/\s/g, '').length <= 8
}

const unleet = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => LEET[sign] ?? sign)
