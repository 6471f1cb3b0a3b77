import { Link } from '@tanstack/react-router'
import { useMayAdminister, useWorkspace } from '../../api/workspaces.ts'
import { Banner } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'

/** Tells those who can mend it that the language model does not answer. */
export function ModelProblem({ workspaceId }: { workspaceId: string }) {
  return useMayAdminister(workspaceId) ? <ProblemOf workspaceId={workspaceId} /> : null
}

function ProblemOf({ workspaceId }: { workspaceId: string }) {
  const problem = useWorkspace(workspaceId).data?.llm_problem
  if (problem === null || problem === undefined) return null
  return (
    <Banner
      tone="danger"
      action={
        <Link to="/w/$workspaceId/settings" params={{ workspaceId }}>
          Check the model
        </Link>
      }
    >
      The language model has not answered since <Time at={problem.since} />:{' '}
      <span dir="auto">{problem.message}</span>
    </Banner>
  )
}
