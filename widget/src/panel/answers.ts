/**
 * What is needed once a question is asked: the client of the service, and what shows answers. A file of its own, fetched behind the panel,
 * so that the first screen comes with half the bytes.
 */
export { createClient } from '@citewell/sdk'
export { CitationCard } from './citation-card.tsx'
export { TurnView } from './turn-view.tsx'
export { default as css } from './answer.css?inline'
