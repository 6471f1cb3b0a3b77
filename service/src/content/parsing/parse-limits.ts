import { bareType } from './media-types.ts'

/** What one thing that is parsed may take. */
export interface ParseLimits {
  /** Longest time for anything. Text gets less, by its size: see `timeLimitOf`. */
  timeLimitMs: number
  /** Resident memory of the process that parses, its own hundred megabytes included. */
  memoryLimitMb: number
}

/** Text is read at a megabyte a second and more, on a slow machine too. */
const TEXT_STARTS_WITH_MS = 15_000
const TEXT_MS_PER_MEGABYTE = 5_000

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

/** Time that this may take. What a hostile document can waste is in proportion to what its sender had to send. */
export function timeLimitOf({ mediaType, bytes, isAwaited }: Measured, limits: ParseLimits): number {
  const most = isAwaited ? Math.min(AWAITED_MS, limits.timeLimitMs) : limits.timeLimitMs
  const ofText = TEXT_STARTS_WITH_MS + (bytes / 1_048_576) * TEXT_MS_PER_MEGABYTE
  return Math.round(isPacked(mediaType) ? most : Math.min(most, ofText))
}

/** @example nameOf('application/pdf') // 'PDF' */
export function nameOf(mediaType: string): string {
  return NAMES[bareType(mediaType)] ?? 'document'
}
