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

/** Inside `format(…)`: $1 base, $2 with_restricted, $3 only_groups. */
const PAGE_IS_READABLE = `(select d.live_version = p.version
    and ($2 or d.visibility = 'public')
    and ($3 is null or s.source_group_id = any ($3))
  from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
  where d.knowledge_base_id = $1 and d.id = p.document_id)`

/** Pages by BM25 over all of their words, best first; pages that no word matches are left out. */
const BM25 = `create function search_pages_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (document_id uuid)
  language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off
  as $body$
  declare
    partition text := 'page_words_' || replace(base::text, '-', '');
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select found.document_id from (
        select p.document_id, p.terms <@> %2$L as distance from %1$I p
        where p.knowledge_base_id = $1 and ${PAGE_IS_READABLE}
        order by p.terms <@> %2$L limit $4
      ) found where found.distance < 0
    $query$, partition, words) using base, with_restricted, only_groups, most;
  end $body$`

/** The same by PostgreSQL's own full text. */
const FULL_TEXT = `create function search_pages_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (document_id uuid)
  language plpgsql stable
  as $body$
  declare
    partition text := 'page_words_' || replace(base::text, '-', '');
    asked tsquery := replace(plainto_tsquery('simple', words)::text, '&', '|')::tsquery;
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select p.document_id from %1$I p
      where p.knowledge_base_id = $1 and to_tsvector('simple', p.terms) @@ $5 and ${PAGE_IS_READABLE}
      order by ts_rank(to_tsvector('simple', p.terms), $5, 1) desc limit $4
    $query$, partition) using base, with_restricted, only_groups, most, asked;
  end $body$`

/** Statements for an engine with the BM25 extension, and for one without. */
export const pageWordsMigration = {
  withBm25: [
    ...PAGE_WORDS,
    `create index page_words_terms on page_words using bm25 (terms) with (text_config = 'simple')`,
    BM25,
  ],
  withoutBm25: [
    ...PAGE_WORDS,
    `create index page_words_terms on page_words using gin (to_tsvector('simple', terms))`,
    FULL_TEXT,
  ],
} as const
