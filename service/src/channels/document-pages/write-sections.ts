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

/** Milliseconds of rendering before the event loop gets a turn. */
const MAX_BLOCKING_MS = 10

const write = (section: PageSection, cited: CitedWords | undefined, place?: string): WrittenSection => ({
  ...section,
  ...renderPassage(section.markdown, {
    headingLevel: section.level,
    isTitled: section.isTitled,
    cited,
    place,
  }),
})

/** If the cited words are found in the cited passage, only they are marked, and the page opens there; otherwise all of it is marked. */
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
 * Renders the sections as HTML, yielding to other requests during long pages. If the cited passage no longer exists, because the document
 * was indexed again, its words are searched in all sections.
 *
 * @param place anchor of the cited passage
 */
export async function writeSections(
  sections: readonly PageSection[],
  cited: CitedWords,
  place: string | undefined,
): Promise<WrittenSection[]> {
  const isThere = sections.some(({ isCited }) => isCited)
  let isSearching = !isThere && cited.from !== undefined
  const written: WrittenSection[] = []
  let since = performance.now()
  for (const section of sections) {
    if (performance.now() - since > MAX_BLOCKING_MS) {
      await otherWork()
      since = performance.now()
    }
    const tried = isSearching || section.isCited ? write(section, cited) : undefined
    if (isThere || tried?.isFound === true) {
      const ids = isThere || place === undefined ? section.ids : [...section.ids, place]
      written.push({ ...(tried ?? write(section, undefined)), ids })
      isSearching = false
    } else written.push(write(section, undefined))
  }
  return openAtWords(written, cited)
}
