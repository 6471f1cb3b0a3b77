// Searches the pages of a knowledge base.
// CITEWELL=http://localhost:3000 BASE=<id of the knowledge base> KEY=<client key> node examples/search.ts "rotate a key"
const { CITEWELL, BASE, KEY } = process.env

const response = await fetch(`${CITEWELL}/api/v1/public/knowledge-bases/${BASE}/search`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-client-key': KEY ?? '' },
  body: JSON.stringify({ query: process.argv[2] }),
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { results } = (await response.json()) as { results: { title: string; url: string; snippet: string }[] }
for (const { title, url, snippet } of results) console.log(`${title}\n${url}\n${snippet}\n`)
