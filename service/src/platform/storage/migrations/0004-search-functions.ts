/**
 * Search as functions in the database. They name the base's own partition, because a BM25 query uses the index of the table it reads,
 * and contain their planner settings. The filter (base, live version, visibility, groups) is a correlated condition inside each statement,
 * so that it is checked row by row while the index is scanned, and no plan can omit it.
 *
 * `only_groups`: null for every group. `with_restricted`: false on every public surface.
 */

const DOCUMENT_IS_READABLE = `(select d.live_version = c.version
    and (with_restricted or d.visibility = 'public')
    and (only_groups is null or s.source_group_id = any (only_groups))
  from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
  where d.knowledge_base_id = base and d.id = c.document_id)`

/** In `format(…)` names become positional parameters: $1 base, $2 with_restricted, $3 only_groups. */
const positional = (condition: string) =>
  condition
    .replaceAll('with_restricted', '$2')
    .replaceAll('only_groups', '$3')
    .replaceAll(/\bbase\b/g, '$1')

const CONDITION = positional(DOCUMENT_IS_READABLE)

/** Passages by BM25. Scores are positive; rows that match no word are omitted. */
const BM25 = `create function search_chunks_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (chunk_id uuid, score double precision)
  language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off
  as $body$
  declare
    partition text := 'chunks_' || replace(base::text, '-', '');
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select found.id, -(found.distance) from (
        select c.id, c.terms <@> %2$L as distance from %1$I c
        where c.knowledge_base_id = $1 and ${CONDITION}
        order by c.terms <@> %2$L limit $4
      ) found where found.distance < 0
    $query$, partition, words) using base, with_restricted, only_groups, most;
  end $body$`

/** The same without the BM25 extension: PostgreSQL's full-text search, ranked by the number of matching words. */
const FULL_TEXT = `create function search_chunks_by_terms(
    base uuid, words text, with_restricted boolean, only_groups uuid[], most integer
  ) returns table (chunk_id uuid, score double precision)
  language plpgsql stable
  as $body$
  declare
    partition text := 'chunks_' || replace(base::text, '-', '');
    asked tsquery := replace(plainto_tsquery('simple', words)::text, '&', '|')::tsquery;
  begin
    if to_regclass(partition) is null or words = '' then return; end if;
    return query execute format($query$
      select c.id, ts_rank(to_tsvector('simple', c.terms), $5, 1)::double precision as score from %1$I c
      where c.knowledge_base_id = $1 and to_tsvector('simple', c.terms) @@ $5 and ${CONDITION}
      order by score desc limit $4
    $query$, partition) using base, with_restricted, only_groups, most, asked;
  end $body$`

/**
 * Nearest passages by cosine. Up to \`exact_up_to\` readable chunks, all are compared, which no index can beat for a narrow filter; above
 * that the HNSW index of the embedding key is scanned.
 */
const VECTORS = `create function search_chunks_by_vector(
    base uuid, question vector, question_key text, with_restricted boolean, only_groups uuid[], most integer,
    exact_up_to integer
  ) returns table (chunk_id uuid, similarity double precision)
  language plpgsql stable
  set hnsw.iterative_scan = 'relaxed_order'
  as $body$
  declare
    partition text := 'chunk_vectors_' || replace(base::text, '-', '');
    dimensions integer := vector_dims(question);
    readable bigint;
  begin
    if to_regclass(partition) is null then return; end if;
    select coalesce(sum(d.chunk_count), 0) into readable
    from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
    where d.knowledge_base_id = base and d.live_version is not null
      and (with_restricted or d.visibility = 'public')
      and (only_groups is null or s.source_group_id = any (only_groups));
    if readable <= exact_up_to then
      return query execute format($query$
        with readable as materialized (
          select d.id, d.live_version
          from documents d join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
          where d.knowledge_base_id = $1 and d.live_version is not null
            and ($2 or d.visibility = 'public')
            and ($3 is null or s.source_group_id = any ($3))
        )
        select c.chunk_id, 1 - (c.embedding <=> $6) from %1$I c
        join readable r on r.id = c.document_id and r.live_version = c.version
        where c.knowledge_base_id = $1 and c.embedding_key = $5
        order by c.embedding <=> $6 limit $4
      $query$, partition) using base, with_restricted, only_groups, most, question_key, question;
    else
      return query execute format($query$
        select found.chunk_id, 1 - found.distance from (
          select c.chunk_id, (c.embedding::vector(%2$s)) <=> $5 as distance from %1$I c
          where c.knowledge_base_id = $1 and c.embedding_key = %3$L and ${CONDITION}
          order by (c.embedding::vector(%2$s)) <=> $5 limit $4
        ) found order by found.distance
      $query$, partition, dimensions, question_key) using base, with_restricted, only_groups, most, question;
    end if;
  end $body$`

/** Statements with the BM25 extension, and without. */
export const searchFunctionsMigration = {
  withBm25: [
    `create index chunks_terms on chunks using bm25 (terms) with (text_config = 'simple')`,
    BM25,
    VECTORS,
  ],
  withoutBm25: [
    `create index chunks_terms on chunks using gin (to_tsvector('simple', terms))`,
    FULL_TEXT,
    VECTORS,
  ],
} as const
