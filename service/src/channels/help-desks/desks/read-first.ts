import type { PostOutcome } from '../../platform-posts/platform-posts.ts'
import { DeskFailure, type DeskAccount } from '../help-desk.ts'
import { wordsOfGone } from './words-of-gone.ts'

interface Read<Value> {
  is: 'read'
  value: Value
}

/** Reads something before anything is sent: if that fails, the post is tried again. */
export async function beforeSending<Value>(
  read: () => Promise<Value>,
  { signal }: DeskAccount,
): Promise<Read<Value> | { is: 'again' }> {
  try {
    return { is: 'read', value: await read() }
  } catch (failure) {
    // Nothing was sent yet, neither if the help desk cannot be read nor if the service is shutting down.
    if (failure instanceof DeskFailure || signal.aborted) return { is: 'again' }
    throw failure
  }
}

/** Reads what is to be posted to. The owner is told if it is gone. */
export async function readFirst<Value>(
  what: 'ticket' | 'conversation',
  read: () => Promise<Value | undefined>,
  account: DeskAccount,
): Promise<Read<Value> | PostOutcome> {
  const first = await beforeSending(read, account)
  if (first.is === 'again') return first
  return first.value === undefined
    ? { is: 'failed', because: wordsOfGone(what) }
    : { is: 'read', value: first.value }
}
