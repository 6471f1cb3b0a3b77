const words = (list: string) => new Set(list.split(/\s+/))

const ENGLISH = words(
  'a and are as at be by can for from if in is it not of on or that the this to was when which with you your',
)

/** Function words of other languages in Latin script that are not English words. */
const OTHER =
  words(`der die das und ist nicht mit ein eine einen werden wird für von zu den dem auf sich oder le la les des
  est une dans que qui pour avec sont vous el los las una por para con del se es y em não uma os da do ou il di che per non
  sono è het een van op te zijn wordt voor och att som är det på av til og er nie jest się na oraz lub bir ve için bu`)

/** Minimum number of words for a result. */
const MIN_WORDS = 12

/**
 * Distinguishes English from other languages by function words and script; undefined if it is unclear. Deliberately
 * coarse: it only has to detect that an answer and its pages have no words in common.
 */
export function textLanguage(text: string): 'english' | 'other' | undefined {
  const found = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const latin = found.filter((word) => /^\p{Script=Latin}/u.test(word))
  if (text.length >= MIN_WORDS && latin.length < found.length / 2) return 'other'
  if (latin.length < MIN_WORDS) return undefined
  const shareOf = (list: ReadonlySet<string>) => latin.filter((word) => list.has(word)).length / latin.length
  const english = shareOf(ENGLISH)
  const other = shareOf(OTHER)
  if (other > 0.12 && other > 2 * english) return 'other'
  return english > 0.12 && english > other ? 'english' : undefined
}
