import type { Say } from '../languages/say.ts'
import type { ConversationRoom } from './conversation.ts'
import { pagesOf } from './turn.ts'

/** Pause between two announcements of an answer's sentences, in milliseconds. */
const PAUSE_MS = 3_000

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
 * that it is complete. Never a piece of a word.
 */
export function createAnnouncer(conversation: ConversationRoom, say: () => Say, language: () => string) {
  const region = document.createElement('div')
  region.className = 'unseen'
  region.setAttribute('role', 'status')
  region.setAttribute('aria-live', 'polite')
  let told = { id: -1, stage: '', characters: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  const announce = (text: string) => (region.textContent = text.trim().slice(0, 5_000))

  const tellText = () => {
    timer = undefined
    const turn = conversation.store.get().turns.at(-1)
    if (turn?.id !== told.id || turn.status !== 'writing') return
    const sentences = wholeSentences(turn.text.slice(told.characters), language())
    if (sentences === '') return
    told.characters += sentences.length
    announce(heard(sentences))
  }
  const follow = () => {
    const turn = conversation.store.get().turns.at(-1)
    if (!turn) return
    if (turn.id !== told.id) told = { id: turn.id, stage: '', characters: 0 }
    const stage = turn.status === 'waiting' && turn.found.length > 0 ? 'found' : turn.status
    if (stage === 'writing') timer ??= setTimeout(tellText, PAUSE_MS)
    if (stage === told.stage) return
    told.stage = stage
    if (stage === 'waiting') announce(say()('searching'))
    else if (stage === 'found') announce(say()('reading', { n: pagesOf(turn.found).length }))
    else if (stage === 'writing') announce(say()('answerBegins'))
    else {
      clearTimeout(timer)
      timer = undefined
      tellEnd()
    }
  }
  const tellEnd = () => {
    const turn = conversation.store.get().turns.at(-1)
    if (turn?.status === 'stopped') announce(say()('stopped'))
    if (turn?.status === 'failed') announce(say()('internal'))
    if (turn?.status !== 'done') return
    const rest = heard(turn.text.slice(told.characters)).trim()
    const end = turn.covered
      ? say()('answerComplete', { n: pagesOf(turn.citations).length })
      : say()('notCovered')
    announce(turn.covered ? `${rest} ${end}` : end)
  }
  const unfollow = conversation.store.follow(follow)
  const { turns } = conversation.store.get()
  // What was said before a reload is not said again.
  const last = turns.at(-1)
  if (last) told = { id: last.id, stage: last.status, characters: last.text.length }
  return {
    region,
    announce,
    destroy: () => {
      clearTimeout(timer)
      unfollow()
    },
  }
}
