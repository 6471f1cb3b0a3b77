import { escapeHtml, tag, type BodyPart } from '../../parsing/parsing.ts'
import type { Comment, Issue } from './jira-schemas.ts'

type Fields = Issue['fields']

const namesOf = (named: readonly ({ name?: string | null | undefined } | null | undefined)[]): string =>
  named
    .map((one) => one?.name ?? '')
    .filter((name) => name !== '')
    .join(', ')

/** Comments for some roles only, and internal notes, are not for everyone who may see the issue. */
const isForEveryone = ({ visibility, jsdPublic }: Comment) =>
  (visibility === undefined || visibility === null) && jsdPublic !== false

function roleOf({ author }: Comment, { reporter, assignee }: Fields): string {
  const id = author?.accountId ?? undefined
  if (id !== undefined && id === reporter?.accountId) return 'Reporter'
  return id !== undefined && id === assignee?.accountId ? 'Assignee' : 'Commenter'
}

/** The parts of an issue: its fields, its description, and its comments with roles instead of names. */
export function partsOfIssue(fields: Fields, comments: readonly Comment[]): BodyPart[] {
  const facts: [string, string][] = [
    ['Type', namesOf([fields.issuetype])],
    ['Status', namesOf([fields.status])],
    ['Resolution', namesOf([fields.resolution])],
    ['Priority', namesOf([fields.priority])],
    ['Components', namesOf(fields.components ?? [])],
    ['Labels', (fields.labels ?? []).join(', ')],
    ['Fix versions', namesOf(fields.fixVersions ?? [])],
  ]
  const list = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => tag('li', `${name}: ${escapeHtml(value)}`))
  const said = comments.filter(isForEveryone).flatMap((comment): BodyPart[] => {
    const day = comment.created?.slice(0, 10) ?? ''
    const who = roleOf(comment, fields) + (day === '' ? '' : `, ${day}`)
    return [{ html: tag('p', tag('strong', escapeHtml(who))) }, { adf: comment.body }]
  })
  return [
    { html: tag('ul', list.join('')) },
    { adf: fields.description },
    ...(said.length === 0 ? [] : [{ html: tag('h2', 'Comments') }, ...said]),
  ]
}
