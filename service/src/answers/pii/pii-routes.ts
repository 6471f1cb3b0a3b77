import { ENDPOINTS } from '@citewell/contract/endpoints'
import { PII_KINDS } from '@citewell/contract/closed-lists'
import { CUSTOM_MASK, type TriedPiiMasking } from '@citewell/contract/pii-masking'
import { checkPiiMasking, type KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { createMasking } from './pii.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const kindOf = (mask: string): TriedPiiMasking['found'][number]['kind'] =>
  (mask === CUSTOM_MASK ? undefined : PII_KINDS.find((kind) => mask === `[${kind}]`)) ?? 'custom'

/** Tries of masking, for those who set it up. */
export const piiRoutes = ({ knowledgeBases }: { knowledgeBases: Pick<KnowledgeBases, 'open'> }) => [
  endpoint(ENDPOINTS.tryPiiMasking, async ({ caller, params, body }) => {
    const { pii_masking: stored } = await knowledgeBases.open(caller, params.id, 'config')
    checkPiiMasking(body.pii_masking)
    const { mask, custom_patterns, allow_list } = body.pii_masking ?? {}
    const { masked, found } = createMasking({
      mask: mask ?? stored.mask,
      custom_patterns: custom_patterns ?? stored.custom_patterns,
      allow_list: allow_list ?? stored.allow_list,
    }).show(body.text)
    return { text: masked, found: found.map(({ text, mask: of }) => ({ kind: kindOf(of), text })) }
  }),
]
