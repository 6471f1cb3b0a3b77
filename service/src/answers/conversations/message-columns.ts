/** What a message is shown and traced by: its question and its answer. */
export const MESSAGE_COLUMNS = [
  'messages.knowledge_base_id',
  'messages.id',
  'messages.thread_id',
  'messages.query',
  'messages.rewritten_query',
  'messages.answer',
  'messages.citations',
  'messages.drew_on',
  'messages.covered',
  'messages.confidence',
  'messages.stopped_by',
  'messages.created_at',
  'messages.updated_at',
] as const
