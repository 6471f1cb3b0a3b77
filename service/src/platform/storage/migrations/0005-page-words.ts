/**
 * Two more signs of the right page: the words of the whole page, which say what its single passages leave out, and a
 * vector for each sentence, which says what a passage's own one blurs.
 */

const PAGE_WORDS = [
  `create table page_words (
    knowledge_base_id uuid not null,
    document_id uuid not null,
    version integer not null,
    -- Analysed words of title, headings and text: the only column that BM25 reads.
    terms text not null,
    primary key (knowledge_base_id, document_id, version)
  ) partition by list (knowledge_base_id)`,
  // Directions of the passage's sentences, four bits an axis (platform/embedding/packed-vectors.ts).
  `alter table chunk_vectors add column sentences bytea`,
]

/** Statements for an engine with the BM25 extension, and for one without. */
export const pageWordsMigration = {
  withBm25: [
    ...PAGE_WORDS,
    `create index page_words_terms on page_words using bm25 (terms) with (text_config = 'simple')`,
  ],
  withoutBm25: [
    ...PAGE_WORDS,
    `create index page_words_terms on page_words using gin (to_tsvector('simple', terms))`,
  ],
} as const
