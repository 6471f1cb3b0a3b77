/**
 * A search in one statement: by words, by meaning, and the reading of what both found. Each statement wakes the thread of the embedded
 * engine and is waited for by another one, which together takes 1 to 2 ms of a core on a virtual machine, whatever the statement does.
 * Everything is of one state of the database, as each function runs on the snapshot of the statement that calls it.
 *
 * `read_candidates` stays for processes of an older version that search the same database during an upgrade.
 *
 * `words` is '' if words shall not decide, `question` null if there is no vector: then a page contributes its first passage.
 * `compared_all` says whether the scope has so few passages that all were compared; null without a question. A caller who knows that they
 * are many gives 0 for `exact_up_to`, which saves counting them (.6 ms of a core for 5,000).
 */

/** Pages with more passages than this are not compared passage by passage. */
const LONGEST_COMPARED = 150

/** Characters that are read: passages from before these limits may be longer. See 0051 for the form. */
const cut = (column: string, most: number) =>
  `case when octet_length(${column}) <= ${most} then ${column} else left(${column}, ${most}) end`

/** Pages that the words found and of which no passage was found. `$2`: pages, `$3`: passages found. */
const MISSING_PAGES = `unnest($2::uuid[]) page
    join documents d on d.knowledge_base_id = $1 and d.id = page
    where page <> all (array(
      select c.document_id from %1$I c where c.knowledge_base_id = $1 and c.id = any ($3)))`

export const BEST_BY_VECTOR = `select array(
    select best.chunk_id
    from (select d.id, d.live_version from ${MISSING_PAGES} and d.chunk_count <= ${LONGEST_COMPARED}) page
    cross join lateral (
      select v.chunk_id from %2$I v
      where v.knowledge_base_id = $1 and v.document_id = page.id and v.version = page.live_version and v.embedding_key = $5
      order by v.embedding <=> $4 limit 1
    ) best)`

export const FIRST_PASSAGES = `select array(
    select first.id
    from (select d.id, d.live_version from ${MISSING_PAGES}) page
    join %1$I first on first.knowledge_base_id = $1 and first.document_id = page.id
      and first.version = page.live_version and first.ordinal = 0)`

export const READ = `select c.id, c.document_id, d.source_id, c.ordinal, ${cut('d.title', 1_000)}, d.url, c.anchor, c.places, c.heading_path,
      ${cut('c.text', 8_000)}, ${cut('c.terms', 60_000)}, v.sentences, s.version_label, 1 - (v.embedding <=> $5), c.reading,
      array_position($7, c.id) - 1, $8[array_position($7, c.id)], array_position($9, c.document_id) - 1, $10
    from %1$I c
    join documents d on d.knowledge_base_id = $1 and d.id = c.document_id
    join sources s on s.knowledge_base_id = $1 and s.id = d.source_id
    left join %2$I v on v.knowledge_base_id = $1 and v.chunk_id = c.id and v.embedding_key = $6
    where c.knowledge_base_id = $1 and c.id = any ($4) and d.live_version = c.version
      and ($2 or d.visibility = 'public')
      and ($3 is null or s.source_group_id = any ($3) or s.id = any ($3))`

/**
 * A row of a vector and the vectors of its sentences is too long for a page, and the vector was what was stored elsewhere. So each
 * comparison without the index read a second table: best passages of 30 pages take .6 instead of 1.0 ms, 5,000 passages 12 instead of 16,
 * when the sentences are stored elsewhere instead. Rows that are there already stay as they are until their document is indexed anew.
 */
const VECTORS_IN_THE_ROW = `alter table chunk_vectors alter column embedding set storage main`

/** The function up to its variables. */
export const SIGNATURE = `find_candidates(
    base uuid, words text, question vector, question_key text, with_restricted boolean, only_groups uuid[],
    most integer, most_pages integer, pages_taken integer, exact_up_to integer
  ) returns table (
    id uuid, document_id uuid, source_id uuid, ordinal integer, title text, url text, anchor text, places jsonb,
    heading_path text[], text text, terms text, sentences bytea, version_label text, similarity double precision, reading text,
    word_rank integer, lexical_score double precision, page_word_rank integer, compared_all boolean
  )
  language plpgsql stable
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $body$
  #variable_conflict use_column
`

export const findCandidatesMigration: readonly string[] = [
  VECTORS_IN_THE_ROW,
  `create function ${SIGNATURE}  declare
    name text := replace(base::text, '-', '');
    passages text := 'chunks_' || name;
    vectors text := 'chunk_vectors_' || name;
    by_words uuid[] := '{}';
    scores double precision[] := '{}';
    pages uuid[] := '{}';
    are_few boolean;
    ids uuid[];
    best uuid[];
  begin
    if to_regclass(passages) is null then return; end if;
    if words <> '' then
      select coalesce(array_agg(found.chunk_id order by found.place), '{}'), coalesce(array_agg(found.score order by found.place), '{}')
        into by_words, scores
        from search_chunks_by_terms(base, words, with_restricted, only_groups, most)
          with ordinality as found (chunk_id, score, place);
      pages := array(select found.document_id from search_pages_by_terms(
        base, words, with_restricted, only_groups, most_pages) found);
    end if;
    ids := by_words;
    if question is not null then
      are_few := exact_up_to > 0 and has_few_readable_chunks(base, with_restricted, only_groups, exact_up_to);
      if are_few then
        ids := ids || array(select near.chunk_id from search_few_chunks_by_vector(
          base, question, question_key, with_restricted, only_groups, most) near);
      else
        ids := ids || array(select near.chunk_id from search_chunks_by_vector(
          base, question, question_key, with_restricted, only_groups, most, 0) near);
      end if;
      execute format($query$${BEST_BY_VECTOR}$query$, passages, vectors)
        into best using base, pages[:pages_taken], ids, question, question_key;
    else
      execute format($query$${FIRST_PASSAGES}$query$, passages) into best using base, pages[:pages_taken], ids;
    end if;
    return query execute format($query$${READ}$query$, passages, vectors)
      using base, with_restricted, only_groups, ids || best, question, question_key, by_words, scores, pages, are_few;
  end $body$`,
]
