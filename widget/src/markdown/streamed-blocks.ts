import { parseBlocks, type Block } from './blocks.ts'
import { cutText } from './guard.ts'
import { mendTail } from './mend-tail.ts'

/** What may change the meaning of blocks far away: the definition of a link, and HTML that goes on over empty lines. */
const FAR_REACHING = /\]:|<[!?\w]/

/**
 * Where the text may be cut so that what is before never changes: at an empty line that is not within a block of code, and whose
 * next line begins at the margin with something that cannot belong to the block before.
 */
function cutOf(text: string): number {
  let cut = 0
  let fence = ''
  let before = ''
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') {
      if (before.trim() === '' && at > 0 && /^(?:[^\s\-*+>|\d]|[*_]{2}\S)/.test(line) && line.length > 1)
        cut = at
      fence = mark
    } else if (mark.startsWith(fence) && /^(`+|~+)\s*$/.test(line)) fence = ''
    before = line
    at += line.length + 1
  }
  return cut
}

/**
 * Reads an answer while it is written. Only what follows the last finished block is parsed again at each new piece, so that the work
 * for an answer grows with its length and not with its square.
 */
export function createStreamedBlocks() {
  let done: Block[] = []
  let parsed = 0
  let last = ''
  let blocks: readonly Block[] = []
  return {
    /** @param text - all of it so far; it only grows */
    read: (text: string): readonly Block[] => {
      const whole = cutText(text)
      if (whole === last) return blocks
      last = whole
      const rest = whole.slice(parsed)
      const cut = cutOf(rest)
      if (cut > 0) {
        done = [...done, ...parseBlocks(rest.slice(0, cut))]
        parsed += cut
      }
      blocks = [...done, ...parseBlocks(mendTail(whole.slice(parsed)))]
      return blocks
    },
    /** The blocks of the final text. Those that are the same as before stay the same objects. */
    finish: (text: string): readonly Block[] => {
      const whole = cutText(text)
      if (whole.startsWith(last.slice(0, parsed)) && !FAR_REACHING.test(whole))
        return (blocks = [...done, ...parseBlocks(whole.slice(parsed))])
      const final = parseBlocks(whole)
      blocks = final.map((block, at) => {
        const shown = blocks[at]
        return shown !== undefined && shown.raw === block.raw && isSame(shown, block) ? shown : block
      })
      return blocks
    },
  }
}

/** Whether two blocks of the same text mean the same: a link defined at the end of the answer changes earlier blocks. */
const isSame = (one: Block, other: Block): boolean => JSON.stringify(one) === JSON.stringify(other)
