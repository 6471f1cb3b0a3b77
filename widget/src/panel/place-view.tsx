import { useEffect, useMemo } from 'preact/hooks'
import { isRightToLeft } from '../languages/say.ts'
import { AskView } from './ask-view.tsx'
import { CitationCardContext, createCitationCard, type CitationCardRoom } from './citation-card-room.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SearchView } from './search-view.tsx'
import { useStore } from './store.ts'
import { SurroundingsProvider, type Surroundings } from './surroundings.ts'

/** What the frame around the views needs to know of them. */
export interface PlaceViewProperties {
  surroundings: Surroundings
  onResize(by: number): void
  /** Called with the card of this place: Escape closes it first. */
  onCard(card: CitationCardRoom): void
}

/** The whole panel, at one place. */
export function PlaceView({ surroundings, onResize, onCard }: PlaceViewProperties) {
  const { shared, place } = surroundings
  const { language, options, answers } = useStore(shared)
  const { tab } = useStore(place)
  const card = useMemo(createCitationCard, [])
  useEffect(() => onCard(card), [card])
  const shown = options.search ? tab : 'ask'
  return (
    <SurroundingsProvider value={surroundings}>
      <CitationCardContext.Provider value={card}>
        <div
          class="frame"
          // What is pressed may go by it (Stop, Try again): then the focus goes to what is read next, and not to the page.
          onClick={({ currentTarget, target }) =>
            setTimeout(() => {
              const root = currentTarget.getRootNode() as ShadowRoot
              if (!(target as Element).isConnected && !root.activeElement)
                currentTarget.querySelector<HTMLElement>('.thread')?.focus()
            })
          }
          lang={language}
          dir={isRightToLeft(language) ? 'rtl' : 'ltr'}
        >
          <Header onResize={onResize} />
          <div
            class="view"
            id="citewell-view"
            {...(options.search && { role: 'tabpanel', 'aria-labelledby': `citewell-tab-${shown}` })}
          >
            {shown === 'ask' ? <AskView /> : <SearchView />}
          </div>
          <Footer />
          {typeof answers === 'object' && <answers.CitationCard />}
        </div>
      </CitationCardContext.Provider>
    </SurroundingsProvider>
  )
}
