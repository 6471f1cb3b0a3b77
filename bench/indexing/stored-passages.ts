import type { StoredPassage } from '../../service/test/open-bare-model.ts'
import type { CrawlingService } from './crawling-service.ts'

interface Document {
  id: string
  title: string
  chunk_count: number
  chunks: { heading_path: string[]; text: string }[]
}

interface Page {
  data: Document[]
  next_cursor: string | null
}

/** Every document of the base, without its passages. */
async function listDocuments(service: CrawlingService): Promise<Document[]> {
  const documents: Document[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/api/v1/knowledge-bases/${service.baseId}/documents?limit=200${query}`
    const page: Page = await service.json<Page>('GET', path)
    documents.push(...page.data)
    cursor = page.next_cursor
  }
  return documents
}

/** The number of passages of the base, and the passages of some documents, spread over all of them. */
export async function storedPassages(
  service: CrawlingService,
  fromDocuments: number,
): Promise<{ count: number; some: StoredPassage[] }> {
  const documents = await listDocuments(service)
  const step = Math.max(1, Math.floor(documents.length / fromDocuments))
  const some: StoredPassage[] = []
  for (const { id } of documents.filter((_, place) => place % step === 0)) {
    const { title, chunks } = await service.json<Document>('GET', `/api/v1/documents/${id}`)
    some.push(...chunks.map(({ heading_path, text }) => ({ title, headingPath: heading_path, text })))
  }
  return { count: documents.reduce((sum, document) => sum + document.chunk_count, 0), some }
}
