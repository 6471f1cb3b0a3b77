/** The embedding worker: the model runs here, so that its computation never blocks the service's main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEmbeddingQueue } from './embedding-queue.ts'
import type { EmbeddingReply, EmbeddingRequest, EmbeddingWorkerData } from './embedding-messages.ts'
import type { LocalModel } from './local-model.ts'
import { readVocabulary } from './vocabulary.ts'
import { createWordPiece } from './word-piece.ts'

const port = parentPort
if (port === null) throw new Error('embedding-worker.ts runs in a worker thread only')

const { model, threads } = workerData as EmbeddingWorkerData

async function openModel({ queryPrefix, passagePrefix, maxPieces, tokenizerFolder }: LocalModel) {
  // Imported here and not at the top, so that a machine without a binary of the runtime gets an error message.
  const { openBertSession } = await import('./bert-session.ts')
  const { embedPieces, comparePieces } = await openBertSession(model, threads)
  const wordPiece = createWordPiece(await readVocabulary(tokenizerFolder))
  const prefixes = { query: queryPrefix, passage: passagePrefix }
  return createEmbeddingQueue({
    embed: (purpose, text) => {
      if (typeof text === 'string')
        return embedPieces(wordPiece.encode(prefixes[purpose] + text, maxPieces - 2, purpose !== 'query'))
      if ('question' in text)
        return comparePieces(wordPiece.encodePair(text.question, text.passage, maxPieces - 2), text)
      const { pieces, spans } = wordPiece.encodeParts([prefixes[purpose], ...text], maxPieces - 2)
      return embedPieces(pieces, spans)
    },
    answer: (reply) => send(reply),
  })
}

function send(reply: EmbeddingReply): void {
  const buffers = reply.kind === 'embedded' ? reply.vectors.map((vector) => vector.buffer) : []
  port?.postMessage(reply, buffers)
}

try {
  const queue = await openModel(model)
  port.on('message', (request: EmbeddingRequest) => {
    if (request.kind === 'end') process.exit()
    queue.accept(request)
  })
  send({ kind: 'ready' })
} catch (error) {
  send({ kind: 'unusable', reason: error instanceof Error ? error.message : String(error) })
}
