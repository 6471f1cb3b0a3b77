const OPENING = '<think>'
const CLOSING = '</think>'

/** Leaves out what a model thinks. */
export interface ThinkingFilter {
  /** What of a piece is for the reader; '' while the model thinks, and while it may begin to. */
  push(text: string): string
  /** What was held back at the end of the answer. */
  end(): string
}

/**
 * Servers that do not know how a model marks its thinking pass it on as the beginning of the answer: `<think>…</think>`, as DeepSeek R1, Qwen
 * and others write it.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = ''
  let state: 'beginning' | 'thinking' | 'answering' = 'beginning'

  function release(text: string): string {
    state = 'answering'
    held = ''
    return text
  }

  return {
    push: (text) => {
      if (state === 'answering') return text
      held += text
      if (state === 'beginning') {
        const said = held.trimStart()
        if (said.length < OPENING.length && OPENING.startsWith(said)) return ''
        if (!said.startsWith(OPENING)) return release(held)
        state = 'thinking'
        held = said.slice(OPENING.length)
      }
      const at = held.indexOf(CLOSING)
      if (at >= 0) return release(held.slice(at + CLOSING.length).trimStart())
      // The end of the mark may follow.
      held = held.slice(-CLOSING.length)
      return ''
    },
    end: () => (state === 'beginning' ? release(held) : ''),
  }
}
