import { z } from 'zod'
import type { StandInAnswer } from '../connectors/stand-in-server.ts'

export interface TelegramUpdate {
  update_id: number
  [kind: string]: unknown
}

export function refusal(status: number, description: string, parameters?: object): StandInAnswer {
  return {
    status,
    body: { ok: false, error_code: status, description, ...(parameters !== undefined && { parameters }) },
  }
}

export const taken = (result: unknown): StandInAnswer => ({ body: { ok: true, result } })

const GetUpdates = z.strictObject({
  offset: z.int().optional(),
  limit: z.int().min(1).max(100).optional(),
  timeout: z.int().min(0).max(50).optional(),
  allowed_updates: z.array(z.string()).optional(),
})

const SetWebhook = z.strictObject({
  url: z.string(),
  secret_token: z.string().regex(/^[\w-]{1,256}$/),
  allowed_updates: z.array(z.string()),
})

export interface TelegramWebhook {
  url: string
  secret: string
  allowed: string[]
}

const NO_WEBHOOK: TelegramWebhook = { url: '', secret: '', allowed: [] }

/** How a bot gets what is said to it: Telegram keeps it until the bot has named a later one. */
export function createTelegramReception() {
  let queue: TelegramUpdate[] = []
  const told: TelegramUpdate[] = []
  const waiting = new Set<(answer: StandInAnswer | undefined) => void>()

  /** What waits for whoever asks, from a number on. */
  function updatesFrom({ offset = 0, limit = 100 }: z.infer<typeof GetUpdates>): TelegramUpdate[] {
    // They are confirmed.
    queue = queue.filter(({ update_id: id }) => id >= offset)
    return queue.slice(0, limit)
  }

  const endPolls = (answer: StandInAnswer | undefined) => {
    for (const end of waiting) end(answer)
    waiting.clear()
  }

  const CONFLICT = refusal(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  )

  async function getUpdates(body: unknown): Promise<StandInAnswer> {
    const asked = GetUpdates.safeParse(body)
    if (!asked.success) return refusal(400, `Bad Request: ${asked.error.message}`)
    if (reception.webhook.url !== '')
      return refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    endPolls(CONFLICT)
    const ready = updatesFrom(asked.data)
    if (ready.length > 0) return taken(ready)
    return await new Promise<StandInAnswer>((resolve) => {
      const timer = setTimeout(() => end(undefined), (asked.data.timeout ?? 0) * 1_000)
      timer.unref()
      const end = (answer: StandInAnswer | undefined) => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve(answer ?? taken(updatesFrom(asked.data)))
      }
      waiting.add(end)
    })
  }

  function setWebhook(body: unknown): StandInAnswer {
    const hook = SetWebhook.safeParse(body)
    if (!hook.success) return refusal(400, `Bad Request: ${hook.error.message}`)
    const { url, secret_token: secret, allowed_updates: allowed } = hook.data
    if (!reception.takesHttp && !url.startsWith('https:'))
      return refusal(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook')
    reception.webhook = { url, secret, allowed }
    return taken(true)
  }

  const reception = {
    webhook: NO_WEBHOOK,
    takesHttp: true,
    getUpdates,
    setWebhook,
    deleteWebhook: () => {
      reception.webhook = NO_WEBHOOK
      return taken(true)
    },
    tell: <Update extends TelegramUpdate>(update: Update): Update => {
      told.push(update)
      queue.push(update)
      endPolls(undefined)
      return update
    },
    /** Whether somebody pressed a button, and this is what Telegram calls it. */
    knowsPress: (id: string) =>
      told.some(({ callback_query: press }) => (press as { id?: string } | undefined)?.id === id),
    waiting: () => queue.length,
    polls: () => waiting.size,
    pollElsewhere: () => endPolls(CONFLICT),
  }
  return reception
}

export type TelegramReception = ReturnType<typeof createTelegramReception>
