import { setImmediate as otherWork } from 'node:timers/promises'
import type { CitedWords } from './mark-words.ts'
import type { PageSection } from './page-sections.ts'
import { renderPassage } from './render-passage.ts'

/** A section with its text as HTML. */
export interface WrittenSection extends PageSection {
  text: string
  /** Whether the cited words were found in it, and are marked. */
  isFound: boolean
}

/** Writing goes on for so long, in milliseconds, before others have their turn. */
const LONGEST_STRETCH = 10

const write = (section: PageSection, cited: CitedWords | undefined, place?: string): WrittenSection => ({
  ...section,
  ...renderPassage(section.markdown, {
    headingLevel: section.level,
    isTitled: section.isTitled,
    cited,
    place,
  }),
})

/** Of the cited passage, only the cited words are marked where they are found, and it is opened there; else all of it is marked. */
function openAtWords(sections: WrittenSection[], cited: CitedWords): WrittenSection[] {
  const found = sections.find(({ isFound }) => isFound)
  if (found === undefined) return sections
  return sections.map((section) => {
    const ids = section.ids.filter((id) => id !== found.opensAt)
    if (section === found) return write({ ...section, ids }, cited, found.opensAt)
    return section.isCited ? write({ ...section, ids }, undefined) : { ...section, ids }
  })
}

/**
 * The sections as HTML. A long page is written a bit at a time. Where the cited passage is not there any more, since the document was
 * read anew, its words are looked for in all of them.
 *
 * @param place name of the passage that is cited
 */
export async function writeSections(
  sections: readonly PageSection[],
  cited: CitedWords,
  place: string | undefined,
): Promise<WrittenSection[]> {
  const isThere = sections.some(({ isCited }) => isCited)
  let isSought = !isThere && cited.from !== undefined
  const written: WrittenSection[] = []
  let since = performance.now()
  for (const section of sections) {
    if (performance.now() - since > LONGEST_STRETCH) {
      await otherWork()
      since = performance.now()
    }
    const tried = isSought || section.isCited ? write(section, cited) : undefined
    if (isThere || tried?.isFound === true) {
      const ids = isThere || place === undefined ? section.ids : [...section.ids, place]
      written.push({ ...(tried ?? write(section, undefined)), ids })
      isSought = false
    } else written.push(write(section, undefined))
  }
  return openAtWords(written, cited)
}
