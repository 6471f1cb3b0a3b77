import type { Passage } from '../src/content/search/search.ts'
import { addressesIn } from '../src/answers/answering/evidence-addresses.ts'
import { ownSentences } from '../src/answers/answering/own-sentences.ts'
import { chooseQuotes, unitsOf } from '../src/answers/answering/quotes.ts'
import { renderQuotes } from '../src/answers/answering/render-quotes.ts'

/** The quotes of these passages if their units are scored in this order, named by how they begin; the others are far behind. */
export async function quotesOf(passages: Passage[], order: string[], choose = chooseQuotes) {
  const evidence = passages.map((each) => ({ passages: [each] }))
  const placed = await unitsOf(evidence)
  const scored = order.map((start, place) => {
    const found = placed.find(({ unit }) => unit.plain.startsWith(start))
    if (found === undefined) throw new Error(`There is no unit that begins with ${start}.`)
    return { ...found, score: 1 - place / 100 }
  })
  const rest = placed.filter(({ unit }) => !scored.some((one) => one.unit === unit))
  const all = [...scored, ...rest.map((one) => ({ ...one, score: 0.1 }))]
  return [...renderQuotes(choose(all, placed), addressesIn(evidence), ownSentences('en'))].join('').trim()
}
