/** Actions that a token may be for, as the service names them. */
type Action = 'chat' | 'search' | 'feedback' | 'form_deflect'

export type CheckProvider = 'recaptcha' | 'hcaptcha' | 'turnstile'

export interface ProviderCheckOptions {
  provider: CheckProvider
  siteKey: string
  /** Language tag of what a reader may have to read. */
  language: string
  /** An element in the document, where a challenge that needs the reader is shown. Removed afterwards. */
  openPlace(): HTMLElement
}

/** What the scripts of the providers offer, as far as it is used here. Each has more. */
interface Recaptcha {
  ready(run: () => void): void
  execute(siteKey: string, options: { action: Action }): PromiseLike<string>
}
interface Hcaptcha {
  render(place: HTMLElement, options: object): string
  execute(id: string, options: { async: true }): Promise<{ response: string }>
  remove(id: string): void
}
interface Turnstile {
  render(place: HTMLElement, options: object): string | undefined
  remove(id: string): void
}
type Scripts = typeof globalThis & {
  grecaptcha?: Recaptcha
  hcaptcha?: Hcaptcha
  turnstile?: Turnstile
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): unknown }
  }
}

const scripts: Scripts = globalThis

/** Where the providers document their scripts. */
const ADDRESSES: Record<CheckProvider, (siteKey: string) => string> = {
  recaptcha: (siteKey) => `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`,
  hcaptcha: () => 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
  turnstile: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
}

/** A script may take this long, and a reader with a challenge, in milliseconds. */
const SCRIPT_MS = 15_000
const READER_MS = 120_000

/** A page that enforces Trusted Types allows this policy by name: `trusted-types citewell`. */
let policy: { createScriptURL(address: string): unknown } | undefined

const trusted = (address: string): string => {
  policy ??= scripts.trustedTypes?.createPolicy('citewell', { createScriptURL: (given) => given })
  return (policy?.createScriptURL(address) ?? address) as string
}

/** Ends early, too, if nobody waits for it any more. */
const within = async <Value>(
  milliseconds: number,
  promise: PromiseLike<Value>,
  signal?: AbortSignal,
): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let end = () => {}
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        end = () => reject(new Error('The check took too long.'))
        timer = setTimeout(end, milliseconds)
        signal?.addEventListener('abort', end)
      }),
    ])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

const loaded = new Map<string, Promise<void>>()

/** Loads a script once; a script that did not come is tried again. */
function load(address: string): Promise<void> {
  const known = loaded.get(address)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.src = trusted(address)
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${address} did not load.`))
    })
    document.head.append(script)
  })
  loaded.set(address, loading)
  loading.catch(() => loaded.delete(address))
  return loading
}

/** Waits for what a script defines: some define it a moment after they have loaded. */
async function defined<Value>(read: () => Value | undefined): Promise<Value> {
  for (let tries = 0; tries < 100; tries++) {
    const found = read()
    if (found !== undefined) return found
    await new Promise((again) => {
      setTimeout(again, 50)
    })
  }
  throw new Error('The script of the check defines nothing.')
}

const TOKENS: Record<
  CheckProvider,
  (options: ProviderCheckOptions, action: Action, signal?: AbortSignal) => Promise<string>
> = {
  recaptcha: async ({ siteKey }, action) => {
    const grecaptcha = await defined(() => scripts.grecaptcha)
    return await new Promise((resolve, reject) => {
      grecaptcha.ready(() => void grecaptcha.execute(siteKey, { action }).then(resolve, reject))
    })
  },
  hcaptcha: async ({ siteKey, language, openPlace }, _, signal) => {
    const hcaptcha = await defined(() => scripts.hcaptcha)
    signal?.throwIfAborted()
    const place = openPlace()
    place.id ||= 'citewell-check'
    let id: string | undefined
    try {
      id = hcaptcha.render(place, {
        sitekey: siteKey,
        size: 'invisible',
        hl: language,
        // Within the panel: what is outside a modal dialog cannot be pressed.
        'challenge-container': place.id,
      })
      const { response } = await within(READER_MS, hcaptcha.execute(id, { async: true }), signal)
      return response
    } finally {
      if (id !== undefined) hcaptcha.remove(id)
      place.remove()
    }
  },
  turnstile: async ({ siteKey, language, openPlace }, action, signal) => {
    const turnstile = await defined(() => scripts.turnstile)
    signal?.throwIfAborted()
    const place = openPlace()
    let id: string | undefined
    try {
      const token = new Promise<string>((resolve, reject) => {
        id = turnstile.render(place, {
          sitekey: siteKey,
          action,
          language,
          appearance: 'interaction-only',
          callback: resolve,
          'error-callback': (code: unknown) => {
            reject(new Error(`Turnstile: ${String(code)}`))
            return true
          },
        })
      })
      return await within(READER_MS, token, signal)
    } finally {
      if (id !== undefined) turnstile.remove(id)
      place.remove()
    }
  },
}

/**
 * Gets tokens of a provider whose script the service does not serve. Nothing is loaded before the first token is needed.
 *
 * @throws Error if the script does not load, for example by the page's content security policy, or the check does not end
 */
export const createProviderCheck =
  (options: ProviderCheckOptions) => async (action: Action, signal?: AbortSignal) => {
    await within(SCRIPT_MS, load(ADDRESSES[options.provider](options.siteKey)), signal)
    return await TOKENS[options.provider](options, action, signal)
  }

export type CreateProviderCheck = typeof createProviderCheck
