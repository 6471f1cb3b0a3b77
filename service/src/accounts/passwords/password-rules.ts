import { Refusal } from '../../kernel/refusal.ts'
import { COMMON_WORDS, RUNS } from './common-passwords.ts'

/** In characters as people count them (graphemes). */
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
 * Refuses passwords that attackers guess first: too short, one piece repeated, a keyboard or alphabet sequence, or common words with
 * digits around them. There is no other rule: no required capitals, no required symbols.
 *
 * @throws Refusal BAD_REQUEST with a message that says what to do instead
 */
export function requireStrongPassword(password: string, email: string): void {
  const because = weaknessOf(password.normalize('NFKC'), email)
  if (because !== undefined) throw new Refusal('BAD_REQUEST', { because })
}

function weaknessOf(password: string, email: string): string | undefined {
  const { length } = Array.from(password)
  if (length < PASSWORD_MIN_CHARACTERS)
    return `Use ${PASSWORD_MIN_CHARACTERS} characters or more: a few words in a row are easy to remember.`
  if (length > PASSWORD_MAX_CHARACTERS) return `Use at most ${PASSWORD_MAX_CHARACTERS} characters.`
  const plain = password.toLowerCase()
  if (isRepeated(plain) || isRun(plain))
    return 'This password follows a common pattern and is easy to guess. Choose another one.'
  const [own = ''] = email.toLowerCase().split('@')
  const words = [...COMMON_WORDS, own, email.toLowerCase()]
  const middle = plain.replaceAll(/^[^\p{Letter}]+|(?<=\p{Letter})[^\p{Letter}]+$/gu, '')
  const isCommon = [plain, unleet(plain), unleet(middle)].some((text) => isMadeOfWords(text, words))
  return isCommon
    ? 'This password is made of common words and is easy to guess. Choose another one.'
    : undefined
}

/** `abcabcabcabc`: a piece of up to a third of the length, repeated. */
const isRepeated = (text: string) => /^(.{1,4}?)\1{2,}.{0,3}$/su.test(text)

/** `123456789012`, `qwertyuiop12`: sequences of neighbouring characters make up three quarters of it. */
function isRun(text: string): boolean {
  let inRuns = 0
  for (let at = 0; at < text.length - 3;) {
    const piece = longestRun(text, at)
    inRuns += piece
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

/** Whether a text has nothing but these words and a few digits and symbols. */
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
