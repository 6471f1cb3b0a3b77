import { parentPort } from 'node:worker_threads'
import { parseApiDescription, parseDocument } from './parse-document.ts'
import { ParseFailure } from './parse-failure.ts'
import type { ParsingAnswer, ParsingTask } from './parsing-pool.ts'

const port = parentPort
if (port === null) throw new Error('parsing-worker.ts runs in a worker thread only')

port.on('message', (task: ParsingTask) => {
  void work(task).then((answer) => port.postMessage(answer))
})

async function work(task: ParsingTask): Promise<ParsingAnswer> {
  try {
    const result =
      task.kind === 'document' ? await parseDocument(task.input) : await parseApiDescription(task.input)
    return { result }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { failure: error instanceof ParseFailure ? message : `The document could not be read: ${message}` }
  }
}
