import type { BotAccount } from './chat-platform.ts'

/** Whether a platform gave an encrypted address for a connection. In tests it is the machine itself. */
export function isSocketAddress(address: string, { config }: Pick<BotAccount, 'config'>): boolean {
  const url = URL.parse(address)
  return (
    url?.protocol === 'wss:' ||
    (url?.protocol === 'ws:' && config['api_url'] !== undefined && url.hostname === '127.0.0.1')
  )
}
