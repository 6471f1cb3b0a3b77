/** What an approval says while it waits, where its knowledge base masks personal data or its workspace keeps nothing. */
export const sealedApprovalsMigration: readonly string[] = [
  `alter table approvals
    -- The texts as they were written, encrypted, for as long as they are needed; the other columns have what may stay.
    add column sealed_texts text,
    -- What stays afterwards: every text as it is, masked, or not even the row.
    add column keeps text not null default 'all' check (keeps in ('all', 'masked', 'nothing'))`,
  `create index approvals_sealed on approvals (created_at) where sealed_texts is not null`,
]
