import { PANEL } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import { isOn, mergeOptions, type GivenOptions } from '../options/given-options.ts'
import type { Emit } from '../options/widget-events.ts'
import type { OpenRequest, PanelHandle, PanelModule } from '../panel/panel-handle.ts'
import type { CitewellApi } from './citewell-api.ts'
import { connect, type Connection } from './connect.ts'
import { findEmbedded } from './embedded-places.ts'
import { keepTrying } from './keep-trying.ts'
import { createLauncher } from './launcher.ts'
import { listenToKeys } from './page-keys.ts'
import { listenToTriggers } from './triggers.ts'
import { whenIdle } from './when-idle.ts'

/** How long a wish to open lasts: what a reader wanted minutes ago is not what they want. */
const WANTED_MS = 8_192

/** What the owner of the page may have to change, by the code of the refusal. */
const SETTINGS: Record<string, string> = {
  ORIGIN_NOT_ALLOWED: 'allowed_origins',
  WIDGET_DISABLED: 'enabled',
  KNOWLEDGE_BASE_INTERNAL: 'type',
  KNOWLEDGE_BASE_ARCHIVED: 'archived',
}

/** Puts a widget on the page. `folder` has the built files, `endpoint` is the service; both end with a slash. */
export function createWidget(given: GivenOptions, endpoint: string, folder: string): CitewellApi {
  let changes: GivenOptions | null = null
  let said = mergeOptions(given)
  let connection: Connection | undefined
  let panel: PanelHandle | undefined
  let connecting: Promise<void> | undefined
  let loading: Promise<PanelHandle | undefined> | undefined
  const ended = new AbortController()
  const { signal } = ended
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => (isReady = resolve))

  const emit: Emit = (type, detail) => {
    if (said['events'] !== 'none') document.dispatchEvent(new CustomEvent(`citewell:${type}`, { detail }))
  }

  const host = document.createElement('citewell-widget')

  async function loadPanel() {
    await connectOnce()
    if (!connection || signal.aborted) return undefined
    try {
      const { mountPanel } = await loadChunk<PanelModule>(folder, PANEL)
      panel = mountPanel({
        ...connection,
        said,
        endpoint,
        folder,
        emit,
        launcher: launcher.button,
      })
    } catch (fault) {
      loading = undefined
      console.warn('Citewell:', fault)
      emit('error', { code: 'PANEL_NOT_LOADED', retryable: true })
    }
    return panel
  }
  const withPanel = (run: (panel: PanelHandle) => void) =>
    void (loading ??= loadPanel()).then((loaded) => loaded && run(loaded))

  const warm = () => connection && withPanel((loaded) => loaded.warm())
  const open = (request: OpenRequest = {}) => {
    const at = Date.now()
    withPanel((loaded) => Date.now() - at < WANTED_MS && loaded.open(request))
    return true
  }
  const toggle = (source: string) => (panel?.isOpen() ? (panel.close(), true) : open({ source }))

  const launcher = createLauncher(host, () => toggle('launcher'))

  const apply = () => {
    said = mergeOptions(connection?.config.config, given, changes)
    const look = (name: string, value = '') => host.style.setProperty(`--cw-${name}`, value)
    const { accent = '', offset, zIndex } = said
    look('accent', CSS.supports('color', accent) ? accent : '')
    look('offset', offset)
    look('z', zIndex)
    launcher.update(said)
    panel?.update(said)
  }

  const update = (config: GivenOptions | null) => {
    changes = config && { ...changes, ...config }
    apply()
  }

  const show = () => {
    document.body.append(host)
    apply()
  }

  async function connectNow() {
    const answer = await keepTrying(async () => await connect(said, endpoint), signal)
    if ('code' in answer) {
      const { code, error, request_id } = answer
      host.remove()
      emit('error', { code, retryable: false, request_id })
      console.warn(`Citewell: no widget (${code}): ${error} See ${SETTINGS[code] ?? 'the ids and key'}`)
      return
    }
    connection = answer
    show()
    isReady()
    emit('ready', { knowledge_base_id: answer.config.knowledge_base_id })
    findEmbedded(said['container'], (element) => withPanel((loaded) => loaded.embed(element)))
    if (isOn(said['deepLink']) && location.search) withPanel((loaded) => loaded.followLink())
  }
  const connectOnce = () => (connecting ??= connectNow().catch(() => {}))

  listenToKeys(
    () => host.isConnected && said['mode'] !== 'none' && said,
    () => toggle('shortcut'),
    () => open({ tab: 'search', source: 'shortcut' }),
    signal,
  )
  listenToTriggers((request) => host.isConnected && open(request), warm, signal)
  // Sites that exchange the body of their page take the widget out with it.
  const observer = new MutationObserver(() => host.isConnected || (connection && show()))
  observer.observe(document.documentElement, { childList: true })
  if (isOn(said['selection'])) document.addEventListener('selectionchange', warm, { once: true, signal })
  if (said['consent'] === 'required') show()
  else whenIdle(() => void connectOnce())

  return {
    ready,
    open,
    toggle: () => toggle('api'),
    close: () => panel?.close(),
    ask: (query, request) => open({ query, submit: true, tab: 'ask', source: 'api', ...request }),
    search: (query) => open({ query, tab: 'search', source: 'api' }),
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
      observer.disconnect()
      panel?.destroy()
      host.remove()
    },
  }
}
