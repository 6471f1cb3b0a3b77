import { createClient, type CaptchaAction, type Client } from '@citewell/sdk'
import type { createAltcha, Altcha } from '@citewell/sdk/captcha'
import { chunk } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import type { WidgetOptions } from '../options/widget-options.ts'
import type { PanelHost } from './panel-handle.ts'

interface CaptchaModule {
  createAltcha: typeof createAltcha
}

/** The client of the base, and the proof of work that its key may need. */
export function buildClient(
  { config, clientKey, endpoint, folder }: PanelHost,
  options: () => WidgetOptions,
) {
  const needsProof = config.captcha_required && config.captcha_provider === 'altcha'
  let altcha: Promise<Altcha> | undefined
  const proof = () =>
    (altcha ??= loadChunk<CaptchaModule>(folder, chunk('captcha')).then(({ createAltcha }) =>
      createAltcha({ endpoint, clientKey }),
    ))
  const { userId, userEmail, widgetId } = options()
  const client: Client = createClient({
    endpoint,
    clientKey,
    knowledgeBaseId: config.knowledge_base_id,
    retries: 1,
    ...(widgetId && { widgetId }),
    ...((userId || userEmail) && {
      user: { ...(userId && { id: userId }), ...(userEmail && { email: userEmail }) },
    }),
    ...(needsProof && { captcha: async (action: CaptchaAction) => await (await proof())(action) }),
  })
  return {
    client,
    /** Begins the work for a request that will come soon. */
    prepare: (action: 'chat' | 'search') => {
      if (needsProof)
        proof().then(
          (ready) => ready.prepare(action),
          () => (altcha = undefined),
        )
    },
  }
}
