import type { Say } from '../languages/say.ts'
import type { ConversationRoom } from './conversation.ts'
import { sentenceOf } from './failure.ts'
import { isOpen, pagesOf } from './turn.ts'

/** Shortest time between two announcements of an answer, in milliseconds: half a sentence is not cut off by the next. */
const APART_MS = 2_000

/** Pause before the next sentences of an answer, in milliseconds. */
const PAUSE_MS = 3_000

/** A question that is answered sooner needs no word before its answer, in milliseconds. */
const WORDLESS_MS = 300

/** A text as it is heard: without marks of Markdown and numbers of citations. */
const heard = (text: string) =>
  text
    .replaceAll(/\s*\[\d{1,3}\]/g, '')
    .replaceAll(/\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
    .replaceAll(/[*_`#>|]+/g, '')
    .replaceAll(/\s+/g, ' ')

/** Whole sentences at the start of a text, and how many characters they take. */
function wholeSentences(text: string, language: string): string {
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)]
  return sentences
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('')
}

/**
 * Says to those who hear the page what happens: that it searches, that the answer begins, its whole sentences every few seconds, and
 * that it is complete. Never a piece of a word, and nothing sooner than two seconds after what was said before: of two things that
 * wait, the newer is said.
 */
export function createAnnouncer(conversation: ConversationRoom, say: () => Say, language: () => string) {
  const region = document.createElement('div')
  region.className = 'unseen'
  region.setAttribute('role', 'status')
  region.setAttribute('aria-live', 'polite')
  let told = { id: -1, stage: '', characters: 0 }
  let last = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const announce = (text: string) => {
    region.textContent = text.trim().slice(0, 5_000)
    last = performance.now()
  }
  /** The words are those of the moment at which they are said; none are none. */
  const announceSoon = (words: () => string, pause = 0) => {
    clearTimeout(timer)
    const run = () => {
      const text = words()
      if (text) announce(text)
      const turn = conversation.store.get().turns.at(-1)
      if (turn?.id === told.id && turn.status === 'writing') announceSoon(tellText, PAUSE_MS)
    }
    timer = setTimeout(run, Math.max(pause, last + APART_MS - performance.now()))
  }

  const tellText = () => {
    const { text = '' } = conversation.store.get().turns.at(-1) ?? {}
    const sentences = wholeSentences(text.slice(told.characters), language())
    told.characters += sentences.length
    return heard(sentences)
  }
  const tellStage = () => {
    const turn = conversation.store.get().turns.at(-1)
    if (turn?.id !== told.id) return ''
    if (told.stage === 'waiting') return say()('searching')
    if (told.stage === 'found') return say()('reading', { n: pagesOf(turn.found).length })
    if (told.stage === 'writing') return say()('answerBegins')
    if (told.stage === 'stopped') return say()('stopped')
    if (turn.failure) return sentenceOf(turn.failure, say())
    if (!turn.covered) return say()('notCovered')
    const rest = heard(turn.text.slice(told.characters)).trim()
    return `${rest} ${say()('answerComplete', { n: pagesOf(turn.citations).length })}`
  }
  const follow = () => {
    const turn = conversation.store.get().turns.at(-1)
    if (!turn) return
    if (turn.id !== told.id) told = { id: turn.id, stage: '', characters: 0 }
    const stage = turn.status === 'waiting' && turn.found.length > 0 ? 'found' : turn.status
    if (stage === told.stage) return
    told.stage = stage
    announceSoon(tellStage, isOpen(turn) ? WORDLESS_MS : 0)
  }
  const unfollow = conversation.store.follow(follow)
  // What was said before a reload is not said again.
  const earlier = conversation.store.get().turns.at(-1)
  if (earlier) told = { id: earlier.id, stage: earlier.status, characters: earlier.text.length }
  return {
    region,
    announce,
    destroy: () => {
      clearTimeout(timer)
      unfollow()
    },
  }
}
