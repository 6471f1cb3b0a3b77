// Makes a knowledge base of Markdown files, and lists what is in it.
// npm install @citewell/sdk (in this repository, run it with: node --conditions=citewell-source)
// CITEWELL=http://localhost:3000 TOKEN=<access token> node examples/manage-with-sdk.ts docs/*.md
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createManagement } from '@citewell/sdk/management'

const { CITEWELL = '', TOKEN = '' } = process.env
const management = createManagement({ endpoint: CITEWELL, accessToken: TOKEN })

const base = await management.createKnowledgeBase({ name: 'Files' })
const source = await management.createSource(base.id, { type: 'files', name: 'Files', config: {} })
const paths = process.argv.slice(2)
const file = await Promise.all(paths.map(async (path) => new File([await readFile(path)], basename(path))))
const { sync } = await management.uploadFiles(source.id, { file })

for await (const { status, counts } of management.followSync(sync.id))
  console.log(`${status}: ${counts.added} of ${counts.discovered}`)
for await (const { title } of management.listDocuments(base.id)) console.log(`- ${title}`)
console.log(`Ask it with the client key ${base.client_key?.key}`)
