/** Below this, guesses are wrong too often: three of a hundred at 40 letters, one of a thousand at 150. */
const MIN_LETTERS = 60
/** More than this changes no answer. */
const MAX_CHARACTERS = 2_000

/** Code is English to look at, whatever language stands around it. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/g

/**
 * The language a text is written in (ISO 639-1), or undefined where the text is too short or the guess not sure. The first
 * call loads the model (a third of a second, some 30 MB), so it is asynchronous.
 */
export async function detectLanguage(text: string): Promise<string | undefined> {
  const prose = text.replaceAll(CODE, ' ').slice(0, MAX_CHARACTERS)
  if ((prose.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return undefined
  const { eld } = await import('eld/extrasmall')
  const guess = eld.detect(prose)
  return guess.isReliable() && guess.language !== '' ? guess.language : undefined
}
