import { z } from 'zod'
import { idOf } from './fields.ts'

/** `/knowledge-bases/{id}/…` */
export const InKnowledgeBase = z.object({ id: idOf('knowledge base') })

/** `/sources/{id}/…` */
export const OfSource = z.object({ id: idOf('source') })

/** `/<noun>/{id}` */
export const OneRecord = z.object({ id: idOf('record') })

/** `/public/knowledge-bases/{knowledgeBaseId}/…` */
export const PublicKnowledgeBase = z.object({ knowledgeBaseId: idOf('knowledge base') })
