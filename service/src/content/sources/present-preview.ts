import type { StreamError } from '@citewell/contract/errors'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import type {
  DetectedSite,
  PreviewFrame,
  SourcePreview as SourcePreviewRecord,
} from '@citewell/contract/source-preview'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventStream } from '../../platform/http/sse.ts'
import type { Detected, PreviewStep, SourcePreview } from '../connectors/connectors.ts'

const presentDetected = ({ title, generator, sitemap, pagesKnown }: Detected): DetectedSite => ({
  title: title ?? null,
  generator: generator ?? null,
  sitemap: sitemap ?? null,
  pages_known: pagesKnown,
})

export function presentPreview(preview: SourcePreview): SourcePreviewRecord {
  return {
    access: preview.access ?? null,
    pages: preview.pages,
    detected: presentDetected(preview.detected),
    left_out: preview.leftOut,
    failed: preview.failed,
    error: preview.error ?? null,
    is_complete: preview.isComplete,
  }
}

function frameOf(step: PreviewStep): PreviewFrame {
  if (step.kind === 'detected') return { detected: presentDetected(step.detected), done: false }
  if (step.kind === 'page') return { page: step.page, done: false }
  return step.kind === 'failed'
    ? { failed: step.address, done: false }
    : { left_out: step.address, done: false }
}

/** The frame that ends a preview which failed after it had begun. */
function failureFrame(error: unknown, requestId: string): StreamError {
  const kind = error instanceof Refusal && error.code === 'UNAVAILABLE' ? 'unavailable' : 'internal'
  const { code, retryable, reader } = ANSWER_FAILURES[kind]
  const words = error instanceof Refusal ? error.message : reader
  return { error: words, error_code: kind, code, retryable, request_id: requestId }
}

/**
 * The frames of a preview while it is made. Waits for the first one, so that a refused preview still gets its real status.
 *
 * @param make makes the preview, and calls back with each step; hears when the client disconnects
 * @throws Refusal of a preview that was not begun
 */
export async function watchPreview(
  make: (onStep: (step: PreviewStep) => void) => Promise<SourcePreview>,
  requestId: string,
): Promise<EventStream> {
  // Its queue has no limit: a preview has some hundred steps at most.
  const channel = new TransformStream<PreviewFrame, PreviewFrame>(undefined, undefined, {
    highWaterMark: Number.POSITIVE_INFINITY,
  })
  const writer = channel.writable.getWriter()
  const put = (frame: PreviewFrame) => void writer.write(frame).catch(() => undefined)
  const begun = Promise.withResolvers<void>()
  const whole = make((step) => {
    put(frameOf(step))
    begun.resolve()
  })
  whole
    .then(async (preview) => {
      put({ ...presentPreview(preview), done: true })
      await writer.close()
    })
    .catch(async (error: unknown) => await writer.abort(error))
    .catch(() => undefined)
  await Promise.race([begun.promise, whole])
  return { frames: channel.readable, onError: (error) => failureFrame(error, requestId) }
}
