import type { Answering } from '../../../answers/answering/answering.ts'
import type { McpFeedback } from '../../../answers/mcp-feedback/mcp-feedback.ts'
import type { Addresses } from '../../../content/addresses/addresses.ts'
import type { Search } from '../../../content/search/search.ts'
import type { McpDb } from '../mcp-store.ts'
import { createAskQuestion } from './ask-question.ts'
import { createGetDocuments } from './get-documents.ts'
import { createGiveFeedback } from './give-feedback.ts'
import { createListSources } from './list-sources.ts'
import { createPortalAskQuestion } from './portal-ask-question.ts'
import { createPortalGetDocuments } from './portal-get-documents.ts'
import { createPortalListBases } from './portal-list-bases.ts'
import { createPortalListSources } from './portal-list-sources.ts'
import { createPortalSearchDocs } from './portal-search-docs.ts'
import { createSearchDocs } from './search-docs.ts'
import type { PortalTool, Tool } from './tool.ts'

export interface ToolsDeps {
  db: McpDb
  addresses: Addresses
  search: Pick<Search, 'findPages'>
  answering: Pick<Answering, 'answerQuestion'>
  reports: Pick<McpFeedback, 'keep'>
}

/** The tools of a server that reads one base, in listing order. */
export const createServerTools = ({ db, addresses, search, answering, reports }: ToolsDeps): Tool[] => [
  createSearchDocs({ search }),
  createAskQuestion({ answering }),
  createListSources({ db }),
  createGetDocuments({ db, addresses }),
  createGiveFeedback({ reports }),
]

/** The tools of the portal, in listing order. */
export const createPortalTools = ({
  db,
  addresses,
  search,
  answering,
}: Omit<ToolsDeps, 'reports'>): PortalTool[] => [
  createPortalListBases(),
  createPortalSearchDocs({ db, search }),
  createPortalAskQuestion({ db, search, answering }),
  createPortalListSources({ db }),
  createPortalGetDocuments({ db, addresses }),
]
