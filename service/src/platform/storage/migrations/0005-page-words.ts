/**
 * Two more features for ranking: the words of the whole page, which single passages may lack, and a vector per sentence, which is more
 * precise than that of the whole passage.
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
  // Vectors of the passage's sentences, four bits per axis (platform/embedding/packed-vectors.ts).
  `alter table chunk_vectors add column sentences bytea`,
]

/** Statements with the BM25 extension, and without. */
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
