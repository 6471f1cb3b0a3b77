// Sends Markdown files to a source of the type `push`. Running it again replaces those that have changed.
// CITEWELL=http://localhost:3000 SOURCE=<id of the source> TOKEN=<access token> node examples/push-documents.ts docs/*.md
import { readFile } from 'node:fs/promises'

const { CITEWELL, SOURCE, TOKEN, SITE = 'https://docs.example.com' } = process.env

const documents = await Promise.all(
  process.argv.slice(2).map(async (path) => {
    const markdown = await readFile(path, 'utf8')
    return {
      external_id: path,
      title: /^# (.+)/m.exec(markdown)?.[1] ?? path,
      url: new URL(path.replace(/\.md$/, ''), SITE).href, // where citations lead
      markdown,
    }
  }),
)

const response = await fetch(`${CITEWELL}/api/v1/sources/${SOURCE}/documents`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
  body: JSON.stringify({ documents }),
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const pushed = (await response.json()) as { documents: { external_id: string; outcome: string }[] }
for (const { external_id, outcome } of pushed.documents) console.log(`${outcome} ${external_id}`)
