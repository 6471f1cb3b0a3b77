import { BEST_BY_VECTOR, FIRST_PASSAGES, READ, SIGNATURE } from './0077-find-candidates.ts'
import { quickSearchMigration } from './0007-quick-search.ts'
import { searchFunctionsMigration } from './0004-search-functions.ts'

/**
 * A search that is limited to groups or sources with few passages reads first which documents these have, from the index of a source's
 * documents, and gives their ids to the searches. The condition on groups was looked up for each row that an index found, and the word
 * index was walked two or three times because the planner took the condition for true in half of the rows. Measured on 100,000 passages,
 * embedded engine, a group of 5%: by words 34, 17 and 20 ms became 16, 12 and 13, pages 14 became 6, which passages are few 6 became 2.
 *
 * The ids are of one statement with the search, and each row is still compared with its document's live version and visibility.
 * `compared_all` now also says of a limited scope without a question whether its passages are few.
 */

/** With more documents, comparing a row with all their ids takes longer than looking its source up. */
const MOST_DOCUMENTS = 1_000

const SOURCE = ' join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id'
const OF_GROUPS = 'and ($3 is null or s.source_group_id = any ($3))'
const CONDITION = /\(select d\.live_version = (?<row>[cp])\.version/

/** A search function that takes ids of documents where it took those of groups. */
function inDocuments(statement: string): string {
  const changed = statement
    .replace(
      /^create (?:or replace )?function (search_(?:few_chunks|chunks|pages))_by_(?:terms|vector)\(/,
      'create function $1_in_documents(',
    )
    .replaceAll('only_groups', 'only_documents')
    .replace(SOURCE, '')
    .replace(OF_GROUPS, '')
  const limited = CONDITION.test(changed)
    ? changed.replace(CONDITION, '$<row>.document_id = any ($3) and (select d.live_version = $<row>.version')
    : changed.replace('where d.knowledge_base_id = $1', 'where d.knowledge_base_id = $1 and d.id = any ($3)')
  if (/\bs\./.test(limited) || !limited.includes('= any ($3)'))
    throw new Error('0078 does not know the functions of 0004 and 0007')
  return limited
}

const SEARCHES =
  /^create (?:or replace )?function (?:search_chunks_by_terms|search_pages_by_terms|search_few_)/
const searches = (statements: readonly string[]) =>
  statements.filter((statement) => SEARCHES.test(statement)).map(inDocuments)

/** How many results the word index looks for at first, of as many as the condition seems to need. Its own factor is 3. */
const SMALLER_SEED = `do $body$
  declare function text;
  begin
    if exists (select from pg_settings where name = 'pg_textsearch.filtered_seed_margin') then
      foreach function in array array['search_chunks_in_documents', 'search_pages_in_documents'] loop
        execute format('alter function %I(uuid, text, boolean, uuid[], integer) set pg_textsearch.filtered_seed_margin = 2', function);
      end loop;
    end if;
  end $body$`

const foundByWords = (
  searches: 'in_documents' | 'by_terms',
  scope: 'few_documents' | 'only_groups',
) => `      select coalesce(array_agg(found.chunk_id order by found.place), '{}'), coalesce(array_agg(found.score order by found.place), '{}')
        into by_words, scores
        from search_chunks_${searches}(base, words, with_restricted, ${scope}, most)
          with ordinality as found (chunk_id, score, place);
      pages := array(select found.document_id from search_pages_${searches}(
        base, words, with_restricted, ${scope}, most_pages) found);
`

const FIND = `create or replace function ${SIGNATURE}  declare
    name text := replace(base::text, '-', '');
    passages text := 'chunks_' || name;
    vectors text := 'chunk_vectors_' || name;
    few_documents uuid[];
    readable bigint;
    by_words uuid[] := '{}';
    scores double precision[] := '{}';
    pages uuid[] := '{}';
    are_few boolean;
    ids uuid[];
    best uuid[];
  begin
    if to_regclass(passages) is null then return; end if;
    if only_groups is not null and exact_up_to > 0 then
      select array_agg(of_scope.id), coalesce(sum(of_scope.chunk_count), 0) into few_documents, readable from (
        select d.id, d.chunk_count
        from (select s.id from sources s
          where s.knowledge_base_id = base and (s.source_group_id = any (only_groups) or s.id = any (only_groups))) source
        cross join lateral (
          select d.id, d.chunk_count from documents d
          where d.knowledge_base_id = base and d.source_id = source.id and d.live_version is not null
            and (with_restricted or d.visibility = 'public') offset 0) d
        limit exact_up_to + 1) of_scope;
      if few_documents is null then return; end if;
      are_few := cardinality(few_documents) <= exact_up_to and readable <= exact_up_to;
      if not are_few or cardinality(few_documents) > ${MOST_DOCUMENTS} then few_documents := null; end if;
    end if;
    if words <> '' and few_documents is not null then
${foundByWords('in_documents', 'few_documents')}    elsif words <> '' then
${foundByWords('by_terms', 'only_groups')}    end if;
    ids := by_words;
    if question is not null then
      if are_few is null then
        are_few := exact_up_to > 0 and has_few_readable_chunks(base, with_restricted, only_groups, exact_up_to);
      end if;
      if few_documents is not null then
        ids := ids || array(select near.chunk_id from search_few_chunks_in_documents(
          base, question, question_key, with_restricted, few_documents, most) near);
      elsif are_few then
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
  end $body$`

/** Statements with the BM25 extension, and without. */
export const searchFewDocumentsMigration = {
  withBm25: [...searches(quickSearchMigration.withBm25), SMALLER_SEED, FIND],
  withoutBm25: [
    ...searches(searchFunctionsMigration.withoutBm25.filter((statement) => statement.includes('by_terms'))),
    ...searches(quickSearchMigration.withoutBm25),
    FIND,
  ],
} as const
