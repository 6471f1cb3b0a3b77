import type { CitedPlace } from './judge-citation.ts'

export interface Asked {
  question: string
  isCovered: boolean
  /** Citations sent while the answer was written, and at its end. */
  found: CitedPlace[]
  cited: CitedPlace[]
}

interface Frame {
  done: boolean
  citations?: CitedPlace[]
  covered?: boolean
  error?: string
}

/** Asks through the public chat API. */
export async function ask(
  at: { address: string; knowledgeBaseId: string; clientKey: string },
  question: string,
): Promise<Asked> {
  const response = await fetch(`${at.address}/api/v1/public/knowledge-bases/${at.knowledgeBaseId}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-key': at.clientKey },
    body: JSON.stringify({ query: question.slice(0, 4_000) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(([, frame = '']) => JSON.parse(frame) as Frame)
  const [first] = frames
  const last = frames.at(-1)
  if (last?.done !== true) throw new Error(`no answer to "${question}": ${JSON.stringify(last)}`)
  return {
    question,
    isCovered: last.covered === true,
    found: first?.citations ?? [],
    cited: last.citations ?? [],
  }
}
