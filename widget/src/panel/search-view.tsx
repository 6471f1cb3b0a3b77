import type { SearchResult } from '@citewell/sdk'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Say } from '../languages/say.ts'
import { isWebAddress } from '../markdown/safe-link.ts'
import { secondsUntil, useCountdown } from './countdown.ts'
import { sentenceOf, type Failure } from './failure.ts'
import { Icon } from './icons.tsx'
import { MarkedWords } from './marked-words.tsx'
import { groupIdsOf } from '../options/widget-options.ts'
import { createSearch } from './search-pages.ts'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

const idOf = (at: number) => `citewell-option-${at}`

function ResultOption(properties: { result: SearchResult; query: string; at: number; isChosen: boolean }) {
  const { result, query, at, isChosen } = properties
  const { shared, emit, recentSearches } = useSurroundings()
  const { options } = useStore(shared)
  return (
    <a
      id={idOf(at)}
      class="result"
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      {...(isWebAddress(result.url) && { href: result.url })}
      target={options.openLinks === 'new' ? '_blank' : undefined}
      rel="noopener"
      onClick={() => {
        recentSearches.add(query)
        emit('search_open', { url: result.url })
      }}
    >
      <Icon name="page" />
      <span class="result-text">
        <span class="page-title" dir="auto">
          <MarkedWords text={result.title} query={query} />
        </span>
        {result.headingPath.length > 0 && (
          <span class="page-path" dir="auto">
            {result.headingPath.join(' › ')}
          </span>
        )}
        <span class="snippet" dir="auto">
          <MarkedWords text={result.snippet} query={query} />
        </span>
      </span>
      <span class="hint-key" aria-hidden="true">
        <Icon name="enter" />
      </span>
    </a>
  )
}

const whyNot = (failure: Failure, seconds: number, say: Say) =>
  `${sentenceOf(failure, say)} ${seconds > 0 ? say('wait', { n: seconds }) : ''}`

/** Why there are no results, when it is worth searching again, and the way to it. */
function SearchFailure({ failure, onAgain }: { failure: Failure; onAgain: () => void }) {
  const { shared } = useSurroundings()
  const { say } = useStore(shared)
  const seconds = useCountdown(failure)
  return (
    <div class="no-results">
      <p>{whyNot(failure, seconds, say)}</p>
      {failure.retryable && (
        <button type="button" class="button" disabled={seconds > 0} onClick={onAgain}>
          {say('tryAgain')}
        </button>
      )}
    </div>
  )
}

/** Pages while one types, and the question itself as the last row. No row is chosen before the first arrow key. */
export function SearchView() {
  const { shared, place, client, emit, tell, announce, prepare, ask, recentSearches } = useSurroundings()
  const { say, options } = useStore(shared)
  const { searched, focused, tab, isOpen } = useStore(place)
  const search = useMemo(
    () => createSearch(client, groupIdsOf(options), (count) => emit('search', { count }), tell),
    [client, options.sourceGroupIds],
  )
  const { results, query, isSearching, failure } = useStore(search.store)
  const [chosen, setChosen] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** Enter, pressed before the results of what is in the field. */
  const early = useRef<KeyboardEvent>(undefined)
  const text = searched.trim()
  const recent = useMemo(() => (text === '' ? recentSearches.list() : []), [text === '', focused])
  const rows = text === '' ? recent.length : results.length + 1
  useEffect(() => {
    if (focused === place.get().handled || tab !== 'search' || !isOpen) return
    place.set({ handled: focused })
    field.current?.focus()
  }, [focused, tab, isOpen])
  useEffect(() => search.type(searched), [searched, search])
  // What is not shown any more is not searched for.
  useEffect(() => () => search.type(''), [search])
  useEffect(() => {
    setChosen(-1)
    if (query !== '')
      announce(failure ? whyNot(failure, secondsUntil(failure), say) : say('results', { n: results.length }))
    const pressed = early.current
    if (pressed && query === text) press(pressed)
  }, [results])
  useEffect(() => {
    list.current?.querySelector(`#${idOf(chosen)}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const askThis = () => {
    recentSearches.add(text)
    ask(text, 'search')
  }
  const searchAgain = (query: string) => {
    setChosen(-1)
    place.set({ searched: query, focused: place.get().focused + 1 })
  }
  const MOVES: Record<string, () => number> = {
    ArrowDown: () => (chosen + 1) % rows,
    ArrowUp: () => (chosen <= 0 ? rows - 1 : chosen - 1),
    Home: () => 0,
    End: () => rows - 1,
  }
  const press = (event: KeyboardEvent) => {
    if (text === '') return searchAgain(recent[Math.max(0, chosen)] ?? '')
    early.current = chosen < 0 && query !== text ? event : undefined
    if (early.current) return
    if (chosen === results.length || (chosen < 0 && results.length === 0)) return askThis()
    const option = list.current?.querySelector<HTMLAnchorElement>(`#${idOf(Math.max(0, chosen))}`)
    if (option && (event.ctrlKey || event.metaKey)) window.open(option.href, '_blank', 'noopener')
    else option?.click()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || rows === 0) return
    const move = MOVES[event.key]
    // Home and End move in the text as long as no row is chosen.
    if (move && !(chosen < 0 && /Home|End/.test(event.key))) {
      event.preventDefault()
      setChosen(move())
    } else if (event.key === 'Enter') {
      event.preventDefault()
      press(event)
    }
  }
  return (
    <div class="search">
      <div class="search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          dir="auto"
          role="combobox"
          aria-expanded={rows > 0}
          aria-controls="citewell-results"
          aria-autocomplete="list"
          aria-activedescendant={chosen < 0 ? undefined : idOf(chosen)}
          aria-label={say('searchPlaceholder')}
          placeholder={say('searchPlaceholder')}
          list={undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={1_000}
          enterkeyhint="search"
          value={searched}
          onInput={(event) => {
            early.current = undefined
            place.set({ searched: event.currentTarget.value })
          }}
          onKeyDown={onKeyDown}
          onFocus={() => prepare('search')}
        />
      </div>
      <div class="results" tabIndex={-1}>
        {recent.length > 0 && <h3 class="small-head">{say('recent')}</h3>}
        {text !== '' &&
          results.length === 0 &&
          (isSearching ? (
            <p class="no-results late">{say('searching')}</p>
          ) : failure ? (
            <SearchFailure
              failure={failure}
              onAgain={() => {
                search.again()
                field.current?.focus()
              }}
            />
          ) : (
            query !== '' && <p class="no-results">{say('noResults', { query })}</p>
          ))}
        <div
          ref={list}
          id="citewell-results"
          role="listbox"
          aria-label={say(recent.length > 0 ? 'recent' : 'search')}
          aria-busy={isSearching}
        >
          {recent.map((query, at) => (
            <div
              key={query}
              id={idOf(at)}
              class="result"
              role="option"
              aria-selected={at === chosen}
              onClick={() => searchAgain(query)}
            >
              <Icon name="again" />
              <span class="result-text" dir="auto">
                {query}
              </span>
            </div>
          ))}
          {text !== '' &&
            results.map((result, at) => (
              <ResultOption
                key={result.chunkId}
                result={result}
                query={query}
                at={at}
                isChosen={at === chosen}
              />
            ))}
          {text !== '' && (
            <div
              id={idOf(results.length)}
              class="result ask-row"
              role="option"
              aria-selected={chosen === results.length}
              onClick={askThis}
            >
              <Icon name="ask" />
              <span class="result-text" dir="auto">
                {say('askThis', { query: text })}
              </span>
              <span class="hint-key" aria-hidden="true">
                <Icon name="enter" />
              </span>
            </div>
          )}
        </div>
      </div>
    </div>
  )
}
