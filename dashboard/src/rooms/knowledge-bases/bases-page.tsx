import type { KnowledgeBase } from '@citewell/sdk/management'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { BaseState } from '../../ui/base-state.tsx'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { NONE_SHOWN, ShowFilter } from '../../ui/show-filter.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { useUsage, useWorkspace } from '../../api/workspaces.ts'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import classes from './bases-page.module.css'
import { PRESETS, presetOf, questionsOf } from './presets.ts'
import { NewBaseDialog } from './new-base-dialog.tsx'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'

/** The knowledge bases of a workspace. */
export function BasesPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const bases = useKnowledgeBases(workspaceId)
  const workspace = useWorkspace(workspaceId)
  const isSuspended = typeof workspace.data?.suspended_at === 'string'
  const preset = presetOf(useSearch({ from: '/w/$workspaceId' }).show)
  const usage = useUsage(workspaceId)
  const questions = questionsOf(preset, usage.data?.knowledge_bases ?? [])
  const shownOf = (list: readonly KnowledgeBase[]) =>
    list.filter(({ type }) => preset.type === undefined || type === preset.type)
  const [isMaking, setMaking] = useState(false)
  return (
    <Page
      title="Knowledge bases"
      lead="Each holds the content of one product or team, with its own sources, keys and readers."
      actions={
        <>
          <Link className={classes['start']} to="/start">
            Read a site
          </Link>
          <Button
            look="primary"
            blocked={isSuspended ? 'The operator has suspended the workspace: none can be made.' : undefined}
            onClick={() => setMaking(true)}
          >
            New knowledge base
          </Button>
        </>
      }
    >
      <WorkspaceTabs workspaceId={workspaceId} />
      {isSuspended && (
        <Banner tone="warn">
          The operator of this installation has suspended the workspace: its knowledge bases answer nothing,
          and none can be made or restored. What is there can still be read and deleted.
        </Banner>
      )}
      <Loaded query={bases}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="There is no knowledge base yet. Give the address of your documentation, or try the sample: a minute later you have a first answer.">
              <Link className={classes['start']} to="/start">
                Create your first knowledge base
              </Link>
            </Empty>
          ) : (
            <>
              <ShowFilter options={PRESETS.map(({ show, name }) => [show, name])} value={preset.show} />
              {shownOf(list).length === 0 ? (
                <Empty says={NONE_SHOWN} />
              ) : (
                <Table
                  label="Knowledge bases"
                  rows={shownOf(list)}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      name: 'Name',
                      of: ({ id, name }) => (
                        <Link to="/kb/$baseId" params={{ baseId: id }}>
                          {name}
                        </Link>
                      ),
                    },
                    { name: 'State', of: (base) => <BaseState base={base} /> },
                    {
                      name: 'Who may ask',
                      of: ({ type }) => (type === 'external' ? 'Everyone' : 'Members only'),
                    },
                    { name: 'Documents', isNumber: true, of: (base) => count(base.document_count) },
                    {
                      name: 'Questions this month',
                      isNumber: true,
                      of: ({ id }) => (usage.data === undefined ? '–' : count(questions.get(id) ?? 0)),
                    },
                    { name: 'Changed', of: (base) => <Time at={base.updated_at} /> },
                  ]}
                />
              )}
            </>
          )
        }
      </Loaded>
      <NewBaseDialog workspaceId={workspaceId} isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  )
}
