import type { DetectedSite, PreviewLastFrame } from '@citewell/sdk/management'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/session.ts'

/** What of a site is read. */
export interface SiteToRead {
  url: string
  include: readonly string[]
  exclude: readonly string[]
}

/** A preview, as far as it has come. */
export interface Seen {
  detected: DetectedSite | undefined
  pages: PreviewLastFrame['pages']
  leftOut: PreviewLastFrame['left_out']
  failed: PreviewLastFrame['failed']
  state: 'idle' | 'looking' | 'seen' | 'failed'
  /** Why the site cannot be read. */
  because: string | undefined
  error: unknown
  isComplete: boolean
}

const NOTHING: Seen = {
  detected: undefined,
  pages: [],
  leftOut: [],
  failed: [],
  state: 'idle',
  because: undefined,
  error: undefined,
  isComplete: false,
}

/** How many pages are looked at. */
const PAGES = 12

/** Watches the preview of a site in a knowledge base: pages appear as they are read. */
export function useSitePreview() {
  const api = useApi()
  const [seen, setSeen] = useState<Seen>(NOTHING)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  /** @returns whether it failed; one that was stopped has not */
  async function look(baseId: string, { url, include, exclude }: SiteToRead): Promise<boolean> {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    const change = (fields: (known: Seen) => Partial<Seen>) =>
      setSeen((known) => (stop.signal.aborted ? known : { ...known, ...fields(known) }))
    setSeen({ ...NOTHING, state: 'looking' })
    let isFailed = false
    const config = { start_urls: [url], include: [...include], exclude: [...exclude] }
    try {
      const frames = api.watchPreview(
        baseId,
        { type: 'website', config, limit: PAGES },
        { signal: stop.signal },
      )
      for await (const frame of frames) {
        if ('detected' in frame && !frame.done) change(() => ({ detected: frame.detected }))
        else if ('page' in frame) change(({ pages }) => ({ pages: [...pages, frame.page] }))
        else if (frame.done) {
          isFailed = frame.error !== null
          change(() => ({
            detected: frame.detected,
            pages: frame.pages,
            failed: frame.failed,
            leftOut: frame.left_out,
            isComplete: frame.is_complete,
            because: frame.error ?? undefined,
            state: frame.error === null ? 'seen' : 'failed',
          }))
        } else if ('left_out' in frame) change(({ leftOut }) => ({ leftOut: [...leftOut, frame.left_out] }))
        else change(({ failed }) => ({ failed: [...failed, frame.failed] }))
      }
    } catch (error) {
      isFailed = true
      change(() => ({ state: 'failed', error }))
    }
    return isFailed && !stop.signal.aborted
  }
  function forget(): void {
    stopping.current?.abort()
    setSeen(NOTHING)
  }
  return { seen, look, forget }
}
