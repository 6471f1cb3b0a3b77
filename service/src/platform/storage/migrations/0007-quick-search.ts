/**
 * Faster search functions than those of 0004 with the same results, and one for whole pages. Measured on 100,000 passages of 10,000
 * pages, embedded engine, CPU time:
 *
 * - The score is taken from the index during the scan. `<@>` in a select list analyses the text again, .6 ms per page.
 * - Readable passages are counted only until there are too many to compare.
 * - Vectors of a narrow filter are read document by document: the planner would rather scan the whole table.
 *
 * If the extension is too old for the function that returns the score, it is computed as before.
 */

/** In `format(…)`: $1 base, $2 with_restricted, $3 only_groups. */
const isReadable = (row: 'c' | 'p') => `(select d.live_version = ${row}.version
    and ($2 or d.visibility = 'public')
    and ($3 is null or s.source_group_id = any ($3))
  from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
  where d.knowledge_base_id = $1 and d.id = ${row}.document_id)`

const BM25_SETTINGS = `language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off`

/** Negative, as in the index. */
const SCORE_OF = (row: 'c' | 'p') =>
  `case when to_regprocedure('bm25_get_current_score()') is null then format('${row}.terms <@> %L', words)
      else 'bm25_get_current_score()' end`

const PASSAGES_BY_WORDS = `create or replace function search_chunks_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (chunk_id uuid, score double precision)
  ${BM25_SETTINGS}
  as $body$
  declare
    partition text := 'chunks_' || replace(base::text, '-', '');
    distance text := ${SCORE_OF('c')};
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select found.id, -(found.distance) from (
        select c.id, %3$s as distance from %1$I c
        where c.knowledge_base_id = $1 and ${isReadable('c')}
        order by c.terms <@> %2$L limit $4
      ) found where found.distance < 0
    $query$, partition, words, distance) using base, with_restricted, only_groups, most;
  end $body$`

/** Pages by BM25 over all of their words, best first; pages that match no word are omitted. */
const PAGES_BY_WORDS = `create function search_pages_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (document_id uuid)
  ${BM25_SETTINGS}
  as $body$
  declare
    partition text := 'page_words_' || replace(base::text, '-', '');
    distance text := ${SCORE_OF('p')};
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select found.document_id from (
        select p.document_id, %3$s as distance from %1$I p
        where p.knowledge_base_id = $1 and ${isReadable('p')}
        order by p.terms <@> %2$L limit $4
      ) found where found.distance < 0
    $query$, partition, words, distance) using base, with_restricted, only_groups, most;
  end $body$`

/** The same by PostgreSQL's full-text search. */
const PAGES_BY_FULL_TEXT = `create function search_pages_by_terms(
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
      where p.knowledge_base_id = $1 and to_tsvector('simple', p.terms) @@ $5 and ${isReadable('p')}
      order by ts_rank(to_tsvector('simple', p.terms), $5, 1) desc limit $4
    $query$, partition) using base, with_restricted, only_groups, most, asked;
  end $body$`

const READABLE_DOCUMENTS = `select d.id, d.live_version, d.chunk_count
  from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
  where d.knowledge_base_id = base and d.live_version is not null
    and (with_restricted or d.visibility = 'public')
    and (only_groups is null or s.source_group_id = any (only_groups))`

/** Whether the number of readable passages is at most the limit; reads no more documents than necessary. */
const COUNT = `create function has_few_readable_chunks(
    base uuid, with_restricted boolean, only_groups uuid[], few integer
  ) returns boolean
  language plpgsql stable
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_sort = off
  as $body$
  declare
    counted bigint := 0;
    document record;
  begin
    for document in ${READABLE_DOCUMENTS} loop
      counted := counted + document.chunk_count;
      if counted > few then return false; end if;
    end loop;
    return true;
  end $body$`

/** Compares every readable passage, which no index can beat for a narrow filter. */
const EXACTLY = `create function search_few_chunks_by_vector(
    base uuid, question vector, question_key text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (chunk_id uuid, similarity double precision)
  language plpgsql stable
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
  as $body$
  begin
    return query execute format($query$
      select found.chunk_id, 1 - found.distance from (
        select c.chunk_id, c.embedding <=> $6 as distance
        from documents d
        join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
        join %1$I c on c.document_id = d.id and c.version = d.live_version
        where d.knowledge_base_id = $1 and c.knowledge_base_id = $1 and c.embedding_key = $5
          and ($2 or d.visibility = 'public')
          and ($3 is null or s.source_group_id = any ($3))
        order by distance limit $4
      ) found order by found.distance
    $query$, 'chunk_vectors_' || replace(base::text, '-', ''))
    using base, with_restricted, only_groups, most, question_key, question;
  end $body$`

const BY_VECTOR = `create or replace function search_chunks_by_vector(
    base uuid, question vector, question_key text, with_restricted boolean, only_groups uuid[], most integer,
    exact_up_to integer
  ) returns table (chunk_id uuid, similarity double precision)
  language plpgsql stable
  set hnsw.iterative_scan = 'relaxed_order'
  as $body$
  declare
    partition text := 'chunk_vectors_' || replace(base::text, '-', '');
  begin
    if to_regclass(partition) is null then return; end if;
    if has_few_readable_chunks(base, with_restricted, only_groups, exact_up_to) then
      return query select * from search_few_chunks_by_vector(
        base, question, question_key, with_restricted, only_groups, most);
    else
      return query execute format($query$
        select found.chunk_id, 1 - found.distance from (
          select c.chunk_id, (c.embedding::vector(%2$s)) <=> $5 as distance from %1$I c
          where c.knowledge_base_id = $1 and c.embedding_key = %3$L and ${isReadable('c')}
          order by (c.embedding::vector(%2$s)) <=> $5 limit $4
        ) found order by found.distance
      $query$, partition, vector_dims(question), question_key)
      using base, with_restricted, only_groups, most, question;
    end if;
  end $body$`

/** Statements with the BM25 extension, and without. */
export const quickSearchMigration = {
  withBm25: [PASSAGES_BY_WORDS, PAGES_BY_WORDS, COUNT, EXACTLY, BY_VECTOR],
  withoutBm25: [PAGES_BY_FULL_TEXT, COUNT, EXACTLY, BY_VECTOR],
} as const
