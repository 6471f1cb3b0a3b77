import type { CaptchaAction, Client } from '@citewell/sdk'
import type { createAltcha, Altcha } from '@citewell/sdk/captcha'
import type { CreateProviderCheck } from '../captcha/provider-check.ts'
import { chunk } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import type { WidgetOptions } from '../options/widget-options.ts'
import type { PanelHost } from './panel-handle.ts'
import type { Answers } from './surroundings.ts'

interface CaptchaModule {
  createAltcha: typeof createAltcha
}

interface ProviderModule {
  createProviderCheck: CreateProviderCheck
}

/** A token for each gated request, and, where it is work and not a look at the reader, some of the work ahead. */
type Check = ((action: CaptchaAction, signal?: AbortSignal) => Promise<string>) &
  Partial<Pick<Altcha, 'prepare'>>

export interface ClientSurroundings {
  options(): WidgetOptions
  /** Of the reader: a language tag. */
  language(): string
  /** Where a check that needs the reader is shown: in the panel that is open. */
  openPlace(): HTMLElement
  /** Fetches what makes the client. */
  loadAnswers(): Promise<Answers>
}

/** The client of the base, and the check that its key may need. */
export function buildClient(
  { config, clientKey, endpoint, folder }: PanelHost,
  { options, language, openPlace, loadAnswers }: ClientSurroundings,
) {
  const { captcha_required: isNeeded, captcha_provider: provider, captcha_site_key: siteKey } = config
  let check: Promise<Check> | undefined
  async function makeCheck(): Promise<Check> {
    if (provider === 'altcha' || provider === undefined) {
      const { createAltcha } = await loadChunk<CaptchaModule>(folder, chunk('captcha'))
      return createAltcha({ endpoint, clientKey })
    }
    const { createProviderCheck } = await loadChunk<ProviderModule>(folder, chunk('provider-check'))
    return createProviderCheck({ provider, siteKey, language: language(), openPlace })
  }
  const ready = () => {
    check ??= makeCheck()
    // Tried again when a token is needed.
    check.catch(() => (check = undefined))
    return check
  }
  const { widgetId } = options()
  const clientOptions = {
    endpoint,
    clientKey,
    knowledgeBaseId: config.knowledge_base_id,
    retries: 1,
    // What the service itself says is in the reader's language, not in that of the browser.
    headers: {
      get 'accept-language'() {
        return language()
      },
    },
    ...(widgetId && { widgetId }),
    ...(isNeeded && {
      captcha: async (action: CaptchaAction, signal?: AbortSignal) => await (await ready())(action, signal),
    }),
  }
  let client: Client | undefined
  return {
    client: async () => {
      const { createClient } = await loadAnswers()
      return (client ??= createClient(clientOptions))
    },
    /** Begins the work for a request that will come soon. */
    prepare: (action: 'chat' | 'search') => {
      if (isNeeded && provider === 'altcha')
        ready().then(
          (made) => made.prepare?.(action),
          () => {},
        )
    },
  }
}
