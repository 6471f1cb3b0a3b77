/** The party that work is done for, when places are shared: by workspace first, then by knowledge base. */
export interface Owner {
  workspaceId: string
  knowledgeBaseId: string
}
