import { splitText } from './cut-text.ts'

/** Joins texts with this between them, as long as what comes out has at most so many characters. */
function packed(texts: readonly string[], between: string, most: number): string[] {
  const pieces: string[] = []
  for (const text of texts) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + between.length + text.length <= most)
      pieces[pieces.length - 1] = last + between + text
    else pieces.push(text)
  }
  return pieces
}

/** Pieces of whole lines of at most so many characters; a longer line is cut. */
export const splitLines = (text: string, most: number): string[] =>
  packed(
    text.split('\n').flatMap((line) => splitText(line, most)),
    '\n',
    most,
  )

/** Blocks that fit, as few texts of at most so many characters with an empty line between blocks. */
export const joinPieces = (blocks: readonly string[], most: number): string[] => packed(blocks, '\n\n', most)
