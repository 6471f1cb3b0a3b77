import { fakeLlm, type FakeBehaviour } from '../../service/test/fake-llm.ts'

/** How many excerpts the model copies from, and how many sentences of each. */
const EXCERPTS = 4
const SENTENCES = 2

/** A model that copies sentences of the excerpts verbatim, with correct numbers, different ones for each question. */
export function copyingModel(): FakeBehaviour {
  let asked = 0
  return fakeLlm.replies((messages) => {
    asked += 1
    const prompt = messages.at(-1)?.content ?? ''
    const fence = prompt.slice(0, prompt.indexOf('\n'))
    const lines = prompt
      .split(`${fence}\n[`)
      .slice(1, 1 + EXCERPTS)
      .flatMap((piece) => {
        const number = Number.parseInt(piece, 10)
        const text = piece.slice(piece.indexOf('\n\n') + 2).split(`\n${fence}`)[0] ?? ''
        const sentences = sentencesIn(text)
        return Array.from({ length: Math.min(SENTENCES, sentences.length) }, (_, nth) => {
          const sentence = sentences[(asked * 7 + nth * 5) % sentences.length] ?? ''
          return `- ${sentence} [${number}]`
        })
      })
    return [...new Set(lines)].join('\n') || 'NOT COVERED: there are no excerpts.'
  })
}

/** Sentences of prose and terms in bold; no tables, no code. */
function sentencesIn(markdown: string): string[] {
  return markdown
    .replaceAll(/^\s*(`{3,})[\s\S]*?^\s*\1\s*$/gm, '')
    .split('\n')
    .filter((line) => !line.startsWith('|') && !line.startsWith('>'))
    .flatMap((line) => line.replace(/^\s*(?:[-*+]|\d+\.)\s+/, '').split(/(?<=[a-z)`][.!?])\s+(?=[A-Z])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 25 && sentence.length <= 600 && !/\[\d+\]/.test(sentence))
}
