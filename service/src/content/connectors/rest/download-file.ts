import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { ApiFailure } from './api-failure.ts'
import { TOO_LARGE } from './file-limit.ts'

const TIMEOUT_MS = 120_000

/**
 * Fetches a file from the address that was made for it. It is at another host, and opens without a token: none is sent.
 * @param given.name that of the product, for messages
 * @throws ApiFailure
 */
export async function downloadFile(
  { outbound }: { outbound: Pick<Outbound, 'fetchOutbound'> },
  address: string,
  { name, maxBytes, signal }: { name: string; maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  try {
    const response = await outbound.fetchOutbound(address, {
      chosenBy: 'customer',
      signal,
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
    })
    if (response.status === 200) return await response.bytes()
    await response.discard()
    throw new ApiFailure('refused', `${name} answered ${response.status} where the file should be.`, {
      status: response.status,
    })
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw cause
    const isTooLarge = cause.reason === 'too_large'
    const words = isTooLarge ? `The file ${TOO_LARGE}` : `The file could not be fetched: ${cause.message}`
    throw new ApiFailure('refused', words, { cause })
  }
}
