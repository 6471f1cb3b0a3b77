import { render } from 'preact'
import { chunk } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import { words as english } from '../languages/en.ts'
import { chooseLanguage, createSay } from '../languages/say.ts'
import { isOn } from '../options/given-options.ts'
import { shortcutOf } from '../options/shortcuts.ts'
import { readOptions } from '../options/widget-options.ts'
import { createAnnouncer } from './announcer.ts'
import { behindNextFrame } from './behind-next-frame.ts'
import { buildClient } from './build-client.ts'
import type * as modules from './chunk-modules.ts'
import type { CitationCardRoom } from './citation-card-room.ts'
import { createConversation, LONGEST_QUESTION } from './conversation.ts'
import { createDialogFrame } from './dialog-frame.ts'
import { createTellFailure } from './failure.ts'
import { createLoadAnswers } from './load-answers.ts'
import { applyLooks, type AccentLooks } from './looks.ts'
import { newPlace } from './new-place.ts'
import { themeOf, watchTheme } from './page-theme.ts'
import type { OpenRequest, PanelHandle, PanelHost } from './panel-handle.ts'
import { makeCheckSlot, openCheckPlace, openHost } from './panel-host.ts'
import { PlaceView } from './place-view.tsx'
import { createRecentSearches } from './recent-searches.ts'
import { createRemembered } from './remembered.ts'
import { createStore, type Store } from './store.ts'
import { fetchSuggested } from './suggested-questions.ts'
import type { Markdown, Place, Shared, Surroundings } from './surroundings.ts'

/** What could not be fetched is missing; the rest works. */
const noMatter = () => {}

/** Puts the panel on the page, closed. */
export function mountPanel(host: PanelHost): PanelHandle {
  const { config, emit, folder, launcher } = host
  let said = host.said
  const options = () => shared.get().options
  const shared = createStore<Shared>({
    options: readOptions(said),
    say: createSay('en', {}),
    language: 'en',
    suggested: undefined,
    isOffline: !navigator.onLine,
    markdown: undefined,
    answers: undefined,
  })
  const loadAnswers = createLoadAnswers(folder, shared)
  const ended = new AbortController()
  const { signal } = ended
  const { client, prepare } = buildClient(host, {
    options,
    language: () => readerLanguage(),
    loadAnswers,
    openPlace: () => openCheckPlace(place.get().isOpen ? element : (hosts[1] ?? element)),
  })
  const remembered = createRemembered(options().remember, config.knowledge_base_id)
  const recentSearches = createRecentSearches(options().remember, config.knowledge_base_id)
  const tell = createTellFailure(emit)
  const conversation = createConversation({ client, options, emit, tell, remembered, signal })
  const announcer = createAnnouncer(
    conversation,
    () => shared.get().say,
    () => shared.get().language,
  )

  const element = document.createElement('citewell-widget')
  const root = openHost(element)
  const frame = createDialogFrame(root, options)
  document.documentElement.append(element)
  const hosts: HTMLElement[] = [element]
  const place = newPlace({})
  /** Of elements of the page that have the panel in them. */
  const places = new WeakMap<Element, Store<Place>>()
  let card: CitationCardRoom | undefined

  /** Takes a place off the page, and back what it did. */
  const leave = (one: HTMLElement) => {
    for (const child of one.shadowRoot?.querySelectorAll('.root') ?? []) render(null, child)
    one.remove()
  }

  let accentLooks: AccentLooks | undefined
  const apply = () => {
    for (const one of hosts) applyLooks(one, options(), themeOf(said['theme']), accentLooks)
    if (options().accent !== '' && accentLooks === undefined)
      void loadChunk<modules.AccentModule>(folder, chunk('accent')).then((loaded) => {
        accentLooks = loaded.accentLooks
        apply()
      }, noMatter)
  }
  const readerLanguage = () =>
    chooseLanguage(options().language, document.documentElement.lang, ...navigator.languages)
  const setLanguage = async () => {
    const chosen = readerLanguage()
    if (chosen === shared.get().language) return
    try {
      const { texts } = await loadChunk<modules.LanguageModule>(folder, chunk(`language-${chosen}`))
      const words = Object.fromEntries(Object.keys(english).map((key, at) => [key, texts[at]]))
      shared.set({ say: createSay(chosen, words), language: chosen })
    } catch {
      // English is better than nothing.
    }
  }
  /** Shared with the support form. It is not needed to open the panel, so it comes behind it. */
  const fetchMarkdown = () =>
    void loadChunk<Markdown>(folder, chunk('markdown')).then(
      (markdown) => shared.set({ markdown }),
      () => shared.set({ markdown: 'failed' }),
    )
  const behind = (run: () => unknown) => behindNextFrame(() => signal.aborted || run())
  let asked = false
  const warm = () => {
    if (asked) return
    asked = true
    behind(() =>
      fetchSuggested(host, readerLanguage(), signal).then(
        (suggested) => shared.set({ suggested }),
        () => (asked = false),
      ),
    )
  }

  const close = () => {
    if (!place.get().isOpen) return
    place.set({ isOpen: false })
    card?.hide()
    frame.close()
    hosts[1]?.shadowRoot?.append(announcer.region)
    launcher.setAttribute('aria-expanded', 'false')
    emit('close', {})
  }

  /** Search is over the page; an answer stands where the page wants it. */
  const modeFor = (tab: Place['tab'], wanted?: Place['mode']): Place['mode'] => {
    const mode = wanted ?? options().mode
    return tab === 'search' || mode === 'none' || mode === 'embedded' ? 'modal' : mode
  }

  const surroundingsOf = (at: Store<Place>): Surroundings => ({
    config,
    client,
    emit,
    tell,
    shared,
    conversation,
    announce: announcer.announce,
    place: at,
    prepare,
    close,
    recentSearches,
    paintCode: async (text, lang) =>
      (await loadChunk<modules.ColoursModule>(folder, chunk('code-colours'))).paintCode(text, lang),
    toolLinks: async () =>
      (await loadChunk<modules.ToolsModule>(folder, chunk('tools'))).toolLinks(
        config.knowledge_base_name,
        config.mcp_url ?? '',
      ),
    askAgain: (turn) => {
      if (!conversation.isAnswering()) return conversation.askAgain(turn)
      const { question, quote } = turn
      at.set({ draft: question, quote, focused: at.get().focused + 1 })
    },
    ask: (question, source) => {
      const { quote, isEmbedded, mode, focused } = at.get()
      // One answer at a time: what is asked meanwhile waits in the composer.
      const waits = conversation.isAnswering()
      at.set({
        tab: 'ask',
        // Where a finger has chosen a question, a keyboard on the screen would cover its answer.
        focused: source === 'suggested' && matchMedia('(pointer: coarse)').matches ? focused : focused + 1,
        ...(waits ? { draft: question } : { draft: '', quote: '' }),
      })
      if (!isEmbedded && modeFor('ask') !== mode) show({ tab: 'ask' })
      if (waits) return
      if (shared.get().markdown === 'failed') fetchMarkdown()
      void conversation
        .ask(question, { source, quote })
        .then(() => !signal.aborted && at.get().isOpen && prepare('chat'))
    },
  })

  /** Draws the panel into its dialog, or into a box in the page. */
  function drawIn(box: HTMLElement, at: Store<Place>) {
    const view = document.createElement('div')
    view.className = 'root'
    box.prepend(view, makeCheckSlot())
    render(
      <PlaceView
        surroundings={surroundingsOf(at)}
        onResize={frame.resize}
        onCard={(created) => at === place && (card = created)}
      />,
      view,
    )
  }

  /** Once, with what it is opened for: drawn closed first, it would be drawn twice before it is seen. */
  function draw() {
    if (!root.querySelector('.root')) drawIn(frame.dialog, place)
  }

  function show(request: OpenRequest) {
    const tab = options().search ? (request.tab ?? options().defaultTab) : 'ask'
    const mode = modeFor(tab, request.mode)
    place.set({ isOpen: true, tab, mode, focused: place.get().focused + 1 })
    draw()
    frame.open(mode)
    // What is said is heard where the reader is: a closed dialog is silent.
    frame.dialog.append(announcer.region)
    launcher.setAttribute('aria-expanded', 'true')
  }

  function embed(target: Element): void {
    // Pages come and go in a single-page application: what left is not drawn any more.
    for (const one of hosts.splice(1))
      if (one.isConnected) hosts.push(one)
      else leave(one)
    // Not yet, or not twice: an element that is moved is told of again.
    if (!target.isConnected || hosts.some((one) => one.parentNode === target)) return
    const inside = document.createElement('citewell-widget')
    inside.dataset['embedded'] = ''
    target.append(inside)
    const innerRoot = openHost(inside)
    hosts.push(inside)
    const box = document.createElement('div')
    box.className = 'panel embedded'
    innerRoot.append(box)
    if (!place.get().isOpen) innerRoot.append(announcer.region)
    const at = newPlace({ isEmbedded: true, mode: 'embedded', isOpen: true, tab: options().defaultTab })
    places.set(target, at)
    warm()
    apply()
    drawIn(box, at)
  }

  /** Opens the dialog, or goes to the panel in the page. Returns the place. */
  // oxlint-disable-next-line complexity -- apart, its parts are more for readers to load
  function open(request: OpenRequest): Store<Place> {
    const { query = '', submit, source = 'api' } = request
    const text = query.slice(0, LONGEST_QUESTION)
    warm()
    const wasOpen = place.get().isOpen
    const tab = request.tab ?? (text ? 'ask' : wasOpen ? place.get().tab : undefined)
    const target =
      tab !== 'search' &&
      (request.mode ?? options().mode) === 'embedded' &&
      document.querySelector(said['container'] || 'citewell-ask')
    // A question may come before the loader has told of the element.
    if (target) embed(target)
    const at = (target && places.get(target)) || place
    if (target) {
      close()
      target.scrollIntoView({ block: 'nearest' })
      at.set({ ...(tab && { tab }), focused: at.get().focused + 1 })
    } else {
      if (!wasOpen)
        frame.setOpener(source === 'launcher' ? launcher : (document.activeElement as HTMLElement))
      show({ ...request, ...(tab && { tab }) })
      if (!wasOpen) emit('open', { tab: place.get().tab, source })
    }
    if (text)
      if (tab === 'search') at.set({ searched: text })
      else if (submit) surroundingsOf(at).ask(text, source)
      else at.set({ draft: text })
    return at
  }

  /** Escape closes what is innermost: the card, then the panel. The menu has its own. */
  const onEscape = (event: Event) => {
    event.preventDefault()
    if (card?.isShown()) card.hide()
    else close()
  }
  frame.dialog.addEventListener('cancel', onEscape)
  frame.dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) onEscape(event)
    else if (shortcutOf(event) === options().shortcut) {
      event.preventDefault()
      close()
    }
  })
  // The ground around a modal dialog is the dialog itself.
  frame.dialog.addEventListener('pointerdown', (event) => {
    if (event.target === frame.dialog && frame.dialog.classList.contains('modal-kind')) close()
  })
  // It also closes for a moment when it changes between beside the page and over it.
  frame.dialog.addEventListener('close', () => frame.dialog.open || close())

  const onLine = () => shared.set({ isOffline: !navigator.onLine })
  addEventListener('online', onLine, { signal })
  addEventListener('offline', onLine, { signal })
  watchTheme(() => themeOf(said['theme']) !== element.dataset['theme'] && apply(), signal)
  apply()
  void setLanguage()
  behind(() => {
    draw()
    loadAnswers().catch(noMatter)
    fetchMarkdown()
  })
  if (options().selection)
    void loadChunk<modules.SelectionModule>(folder, chunk('selection')).then(
      ({ askAboutSelection }) =>
        askAboutSelection({
          root,
          label: () => shared.get().say('askAbout'),
          onPress: (quote) => open({ tab: 'ask', source: 'selection' }).set({ quote }),
          signal,
        }),
      noMatter,
    )

  return {
    open,
    close,
    isOpen: () => place.get().isOpen,
    warm,
    followLink: () => {
      const query = new URLSearchParams(location.search).get(said['queryParam'] ?? 'ask')
      const submit = isOn(said['allowAutosend']) === true && query !== ''
      if (query !== null) open({ query, submit, source: 'link' })
    },
    embed,
    update: (now) => {
      said = now
      if (!element.isConnected) {
        close()
        document.documentElement.append(element)
      }
      shared.set({ options: readOptions(said) })
      apply()
      void setLanguage()
    },
    reset: () => {
      recentSearches.forget()
      conversation.reset()
    },
    destroy: () => {
      ended.abort()
      announcer.destroy()
      conversation.destroy()
      // While the dialog is there: what is not drawn any more takes back what it did.
      for (const one of hosts) leave(one)
      frame.destroy()
    },
  }
}
