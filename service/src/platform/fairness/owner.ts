/** For whom something is done, where places are shared out: by workspace first, then by knowledge base. */
export interface Owner {
  workspaceId: string
  knowledgeBaseId: string
}
