import { bareType } from './media-types.ts'

/** What one thing that is parsed may take. */
export interface ParseLimits {
  /** Longest time for anything, on the clock. */
  timeLimitMs: number
  /** Resident memory of the process that parses, its own hundred megabytes included. */
  memoryLimitMb: number
}

/** Text is read at a megabyte a second; Markdown at a fifth of that. */
const TEXT_STARTS_WITH_MS = 8_000
const TEXT_MS_PER_MEGABYTE = 6_000

/** Somebody waits for the answer, and others wait for the parser. */
const AWAITED_MS = 30_000

const NAMES: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/x-ipynb+json': 'notebook',
  'text/html': 'page',
  'application/xhtml+xml': 'page',
}

/** Formats that are packed: their size says little of the work in them. */
const isPacked = (mediaType: string) => /pdf|officedocument/.test(mediaType)

export interface Measured {
  mediaType: string
  bytes: number
  isAwaited: boolean
}

/** Time on the clock that this may take. */
export function timeLimitOf({ isAwaited }: Measured, { timeLimitMs }: ParseLimits): number {
  return isAwaited ? Math.min(AWAITED_MS, timeLimitMs) : timeLimitMs
}

/**
 * Time of the processor that this may take: a machine that is busy with other things makes no document hostile. What one
 * of text can waste is in proportion to what its sender had to send.
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
