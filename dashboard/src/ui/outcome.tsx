import { percent } from './percent.ts'
import { Status } from './status.tsx'

/** Whether an answer was covered, and how sure it is, in the one unit that people see: per cent. */
export const Outcome = ({ covered, confidence }: { covered: boolean; confidence: number | undefined }) =>
  covered ? (
    <Status tone="ok">Covered{confidence !== undefined && `, ${percent(confidence)} confident`}</Status>
  ) : (
    <Status tone="warn">
      Not covered{confidence !== undefined && ` (confidence ${percent(confidence)})`}
    </Status>
  )
