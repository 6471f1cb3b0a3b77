import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/page.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { pushSnippets } from './push-snippets.ts'

/** Where the key of the snippets comes from. */
export const WhereTokensAre = () => (
  <p>
    CITEWELL_TOKEN is an access token with the scope “Also change things”:{' '}
    <Link to="/me">make one in your settings</Link>, and keep it out of your pages.
  </p>
)

/** How a program sends documents to this source. */
export const PushDocuments = ({ sourceId }: { sourceId: string }) => (
  <Card title="Send documents">
    <WhereTokensAre />
    <Snippets label="Ways to send documents" snippets={pushSnippets({ origin: location.origin, sourceId })} />
  </Card>
)
