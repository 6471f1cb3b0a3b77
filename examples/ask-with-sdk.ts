// Asks a question with the SDK, prints the answer while it is written, and rates it.
// npm install @citewell/sdk (in this repository, run it with: node --conditions=citewell-source)
// CITEWELL=http://localhost:3000 BASE=<id of the knowledge base> KEY=<client key> node examples/ask-with-sdk.ts "How do I rotate a key?"
import { createClient } from '@citewell/sdk'

const { CITEWELL = '', BASE = '', KEY = '' } = process.env
const client = createClient({ endpoint: CITEWELL, knowledgeBaseId: BASE, clientKey: KEY })

for await (const frame of client.ask(process.argv[2] ?? '')) {
  if (frame.type === 'delta') process.stdout.write(frame.delta)
  if (frame.type !== 'done') continue
  // The final text, where it differs from the streamed one.
  if (frame.answer !== undefined) console.log(`\n\n${frame.answer}`)
  for (const { index, title, url } of frame.citations) console.log(`\n[${index}] ${title} ${url}`)
  // There is no id under zero data retention.
  if (frame.messageId !== undefined) await client.rate(frame.messageId, 'up')
}
