// Asks with the OpenAI client: npm install openai
// CITEWELL=http://localhost:3000 BASE=<id of the knowledge base> KEY=<client key> node examples/ask-with-openai.ts "How do I rotate a key?"
import OpenAI from 'openai'

const { CITEWELL, BASE = '', KEY = '' } = process.env

const client = new OpenAI({ apiKey: KEY, baseURL: `${CITEWELL}/api/v1/public/openai` })
const stream = await client.chat.completions.create({
  model: BASE,
  messages: [{ role: 'user', content: process.argv[2] ?? '' }],
  stream: true,
})
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '')
console.log()
