import { PANEL } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import { LONGEST_WAIT_MS, WORDLESS_MS } from '../chunks/waits.ts'
import { isOn, mergeOptions, type GivenOptions, type SaidOptions } from '../options/given-options.ts'
import type { Emit } from '../options/widget-events.ts'
import type { OpenRequest, PanelHandle, PanelModule } from '../panel/panel-handle.ts'
import { avoidPlaces } from './avoid-places.ts'
import type { CitewellApi } from './citewell-api.ts'
import { connect, type Connection, type Refusal } from './connect.ts'
import { findEmbedded } from './embedded-places.ts'
import { createLauncher, type Wait } from './launcher.ts'
import { listenToKeys } from './page-keys.ts'
import { listenToTriggers } from './triggers.ts'

/** Puts a widget on the page. `folder` has the built files, `endpoint` is the service; both end with a slash. */
export function createWidget(given: GivenOptions, endpoint: string, folder: string): CitewellApi {
  let changes: GivenOptions | null | undefined
  let said = mergeOptions(given)
  let connection: Connection | undefined
  let panel: PanelHandle | undefined
  let connecting: Promise<void> | undefined
  let loading: Promise<void> | undefined
  const ended = new AbortController()
  const { signal } = ended
  const nothing = () => {}
  let isReady = nothing
  /** Ends a wait for a service that could not answer. */
  let again = nothing
  const ready = new Promise<void>((resolve) => (isReady = resolve))

  const emit: Emit = (type, detail) => {
    if (said['events'] !== 'none') document.dispatchEvent(new CustomEvent(`citewell:${type}`, { detail }))
  }

  const host = document.createElement('citewell-widget')

  /** What a reader waits for, and how long already. */
  let wishes: OpenRequest[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait: Wait = ''
  const tell = (now: Wait) => {
    if (wait !== now) launcher.draw(said, (wait = now))
  }
  /** A failure stays on the launcher until it is pressed: what is warmed under the pointer changes no word there. */
  const endWait = (now: Wait) => {
    if (timer) tell(now)
    timer = clearTimeout(timer) as undefined
    if (now) wishes = []
  }
  async function loadPanel() {
    await connectOnce()
    try {
      if (!connection) return
      const { mountPanel } = await loadChunk<PanelModule>(folder, PANEL)
      if (signal.aborted) return
      panel = mountPanel({
        ...connection,
        said,
        endpoint,
        folder,
        emit,
        launcher: launcher.button,
      })
      endWait('')
      // Those of before a failure, too. Outside: that a selector is none is not the panel's failure.
      setTimeout(fillPlaces)
    } catch (fault) {
      if (signal.aborted) return
      loading = undefined
      endWait('failed')
      console.warn('Citewell: PANEL_NOT_LOADED', fault)
      emit('error', { code: 'PANEL_NOT_LOADED', retryable: true })
    }
  }
  const withPanel = (run: (panel: PanelHandle) => void) =>
    void (loading ??= loadPanel()).then(() => panel && run(panel))

  const warm = () => connection && withPanel((loaded) => loaded.warm())
  const open = (request: OpenRequest = {}) => {
    wishes.push(request)
    if (!(panel || signal.aborted)) {
      again()
      timer ??= setTimeout(() => {
        tell('busy')
        timer = setTimeout(() => endWait('failed'), LONGEST_WAIT_MS)
      }, WORDLESS_MS)
    }
    withPanel((loaded) => {
      tell('')
      for (const wish of wishes.splice(0)) loaded.open(wish)
    })
    return true
  }
  const toggle = (source: string) => (panel?.isOpen() ? (panel.close(), true) : open({ source }))

  const launcher = createLauncher(host, () => toggle('launcher'))

  const apply = () => {
    said = mergeOptions(connection?.config.config, given, changes)
    const { accent = '', offset = '', zIndex = '' } = said
    const looks = { accent: CSS.supports('color', accent) ? accent : '', offset, z: zIndex }
    for (const [name, value] of Object.entries(looks)) host.style.setProperty(`--cw-${name}`, value)
    launcher.draw(said, wait)
    panel?.update(said)
  }

  const update = (config: GivenOptions | null) => {
    changes = config && { ...changes, ...config }
    apply()
  }

  // Beside the body: sites that exchange it, transform it or keep a copy of it do nothing to the widget.
  const show = () => {
    document.documentElement.append(host)
    apply()
    // Not before: a script that comes early sees half a page.
    avoidPlaces(launcher.button, signal)
  }

  const fillPlaces = () =>
    findEmbedded(said['container'], (element) => withPanel((loaded) => loaded.embed(element)))

  async function connectNow() {
    const answer = await connect(said, endpoint, signal, (end) => (again = end))
    if (signal.aborted || !answer) return
    const { code, error, request_id } = answer as Refusal
    if (code) {
      host.remove()
      emit('error', { code, retryable: false, request_id })
      // What the owner of the page may have to change, by the last letters of the code: every byte here is every page's.
      console.warn(
        `Citewell: ${code}: ${error} See ${
          (
            {
              _ALLOWED: 'allowed_origins',
              DISABLED: 'enabled',
              INTERNAL: 'type',
              ARCHIVED: 'archived',
            } as SaidOptions
          )[code.slice(-8)] ?? 'ids'
        }`,
      )
      return
    }
    connection = answer as Connection
    show()
    isReady()
    emit('ready', { knowledge_base_id: connection.config.knowledge_base_id })
    fillPlaces()
    if (isOn(said['selection'])) document.addEventListener('selectionchange', warm, { once: true, signal })
    if (location.search && isOn(said['deepLink'])) withPanel((loaded) => loaded.followLink())
  }
  const connectOnce = () => (connecting ??= connectNow().catch(nothing))

  addEventListener('online', () => again(), { signal })
  listenToKeys(
    () => host.isConnected && said['mode'] !== 'none' && said,
    () => toggle('shortcut'),
    () => open({ tab: 'search', source: 'shortcut' }),
    signal,
  )
  listenToTriggers((request) => host.isConnected && open(request), warm, signal)
  if (said['consent'] === 'required') show()
  else if (document.readyState === 'complete') void connectOnce()
  // oxlint-disable-next-line typescript/no-misused-promises -- it never rejects
  else addEventListener('load', connectOnce, { signal })

  return {
    ready,
    open,
    toggle: () => toggle('api'),
    close: () => panel?.close(),
    ask: (query, request) => open({ query, submit: true, ...request }),
    search: (query) => open({ tab: 'search', query }),
    update,
    reset: () => panel?.reset(),
    identify: ({ id, email }) => update({ userId: id, userEmail: email }),
    on: (type, heard) => {
      // What a handler throws, the browser reports, and nothing else stops.
      const hear = (event: Event) => heard((event as CustomEvent<never>).detail)
      document.addEventListener(`citewell:${type}`, hear, { signal })
      return () => document.removeEventListener(`citewell:${type}`, hear)
    },
    destroy: () => {
      ended.abort()
      endWait('')
      panel?.destroy()
      // Whoever kept this widget gets nothing from it any more, and nothing is fetched.
      panel = connection = undefined
      host.remove()
    },
  }
}
