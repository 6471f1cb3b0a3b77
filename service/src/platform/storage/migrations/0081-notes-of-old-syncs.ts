const ofOldSyncs = (table: 'sync_errors' | 'sync_changes') => `delete from ${table} notes using (
    select knowledge_base_id, id,
      row_number() over (partition by knowledge_base_id, source_id order by created_at desc, id desc) as place
    from syncs
  ) sync
  where sync.place > 100 and notes.knowledge_base_id = sync.knowledge_base_id and notes.sync_id = sync.id`

/**
 * The errors and changes of syncs before the last hundred of their source, which every sync that ends deletes: it looks back over the
 * hundred before those only, and what was older when that began stayed for ever.
 */
export const notesOfOldSyncsMigration: readonly string[] = [
  ofOldSyncs('sync_errors'),
  ofOldSyncs('sync_changes'),
]
