import { ITEM_TYPE } from './item-body.ts'
import { bareType } from './media-types.ts'

/** Limits for one parsing task. */
export interface ParseLimits {
  /** Maximum wall-clock time of any task. */
  timeLimitMs: number
  /** Maximum resident memory of the parser process, including its base of about a hundred megabytes. */
  memoryLimitMb: number
}

/** Text is read at a megabyte a second; Markdown at a fifth of that. */
const TEXT_STARTS_WITH_MS = 8_000
const TEXT_MS_PER_MEGABYTE = 6_000

/** A user waits for the answer, and others wait for the parser. */
const AWAITED_MS = 30_000

const NAMES: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'spreadsheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'presentation',
  'application/x-ipynb+json': 'notebook',
  'message/rfc822': 'mail',
  'text/html': 'page',
  'application/xhtml+xml': 'page',
  [ITEM_TYPE]: 'page',
}

/** Compressed formats: their size says little about the work in them. */
const isPacked = (mediaType: string) => /pdf|officedocument/.test(mediaType)

export interface Measured {
  mediaType: string
  bytes: number
  isAwaited: boolean
}

/** Maximum wall-clock time of a task. */
export function timeLimitOf({ isAwaited }: Measured, { timeLimitMs }: ParseLimits): number {
  return isAwaited ? Math.min(AWAITED_MS, timeLimitMs) : timeLimitMs
}

/**
 * Maximum CPU time of a task, so that a busy machine does not make a document fail. For text formats it is proportional to the size, so
 * that a sender cannot waste more than that.
 */
export function workLimitOf(measured: Measured, limits: ParseLimits): number {
  const most = timeLimitOf(measured, limits)
  const ofText = TEXT_STARTS_WITH_MS + (measured.bytes / 1_048_576) * TEXT_MS_PER_MEGABYTE
  return Math.round(isPacked(measured.mediaType) ? most : Math.min(most, ofText))
}

/** @example nameOf('application/pdf') // 'PDF' */
export function nameOf(mediaType: string): string {
  return NAMES[bareType(mediaType)] ?? 'document'
}
