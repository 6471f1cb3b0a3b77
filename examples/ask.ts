// Asks a question and prints the answer while it is written.
// CITEWELL=http://localhost:3000 BASE=<id of the knowledge base> KEY=<client key> node examples/ask.ts "How do I rotate a key?"
const { CITEWELL, BASE, KEY } = process.env

interface Frame {
  delta?: string
  done: boolean
  answer?: string
  citations?: { index: number; title: string; url: string }[]
  error?: string
}

const response = await fetch(`${CITEWELL}/api/v1/public/knowledge-bases/${BASE}/chat`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-client-key': KEY ?? '' },
  body: JSON.stringify({ query: process.argv[2] }),
})
if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`)

let unread = ''
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  const events = (unread + text).split('\n\n')
  unread = events.pop() ?? ''
  for (const event of events) {
    if (!event.startsWith('data: ')) continue // a comment keeps the connection open
    const frame = JSON.parse(event.slice('data: '.length)) as Frame
    if (frame.error !== undefined) throw new Error(frame.error)
    process.stdout.write(frame.delta ?? '')
    if (!frame.done) continue
    // The final text replaces the streamed one where they differ.
    if (frame.answer !== undefined) console.log(`\n\n${frame.answer}`)
    for (const { index, title, url } of frame.citations ?? []) console.log(`\n[${index}] ${title} ${url}`)
  }
}
