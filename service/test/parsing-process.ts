import { createParsing } from '../src/content/parsing/parsing.ts'

/** A process that parses without end, for tests that kill it: it prints the id of its parser, and waits. */
const parsing = createParsing({ workers: 1, timeLimitMs: 120_000, memoryLimitMb: 400 })
const slow = Buffer.from('1. '.repeat(20_000))
void parsing.parse({ mediaType: 'text/markdown', bytes: slow, url: 'file:///a.md' }).catch(() => {})
setInterval(() => {
  const [pid] = parsing.processIds()
  if (pid !== undefined) console.log(pid)
}, 100)
