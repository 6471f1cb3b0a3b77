import type { ProductModel, SourceModel } from './connector-world.ts'
import { startConfluence } from './confluence-stand-in.ts'
import { startDiscourse } from './discourse-stand-in.ts'
import { startFreshdesk } from './freshdesk-stand-in.ts'
import { startGithub } from './github-stand-in.ts'
import { startGitlab } from './gitlab-stand-in.ts'
import { startGoogleDrive } from './google-drive-stand-in.ts'
import { startGraph } from './graph-stand-in.ts'
import { startHelpScout } from './help-scout-stand-in.ts'
import { startIntercom } from './intercom-stand-in.ts'
import { startJira } from './jira-stand-in.ts'
import { startNotion } from './notion-stand-in.ts'
import type { RequestBound } from './random-runs.ts'
import { startS3 } from './s3-server.ts'
import { startSlackChannels } from './slack-channels-stand-in.ts'
import { startZendesk } from './zendesk-stand-in.ts'

/** A connector that is tried with random changes, with what plays its product. */
export interface TriedConnector {
  start: () => Promise<AsyncDisposable & { model: SourceModel | ProductModel }>
  maxRequests: RequestBound
}

/** Requests of a list of so many items, in pages. */
const pages = (items: number, size: number) => Math.ceil((items + 1) / size)

/** @param isSmall whether the product has short pages, so that a few items fill several */
export const triedConnectors = (isSmall: boolean): Record<string, TriedConnector> => {
  const sized = (small: number, own: number) => ({
    size: isSmall ? small : own,
    given: isSmall ? { pageSize: small } : {},
  })
  const [desk, forum, drive, graph, repository] = [
    sized(7, 50),
    sized(7, 30),
    sized(7, 100),
    sized(7, 200),
    sized(7, 100),
  ]
  return {
    Confluence: {
      start: startConfluence,
      // Changes and list, each with strangers asked; the changed pages in parts, and those below a page whose title changed.
      maxRequests: (items, changed) => 4 + 4 * pages(items, 50) + 4 * changed,
    },
    'Confluence, on a server of one’s own': {
      start: async () => await startConfluence({ isCloud: false }),
      maxRequests: (items, changed) => 4 + 4 * pages(items, 50) + 4 * changed,
    },
    'Confluence, without an account': {
      start: async () => await startConfluence({ isCloud: false, isAnonymous: true }),
      maxRequests: (items, changed) => 4 + 4 * pages(items, 50) + 4 * changed,
    },
    Discourse: {
      start: async () => await startDiscourse(forum.given),
      // The site twice, two lists; of each changed topic its posts, in two parts.
      maxRequests: (items, changed) => 4 + 2 * pages(items, forum.size) + 3 * changed,
    },
    Freshdesk: {
      start: async () => await startFreshdesk(desk.given),
      // Places, their lists.
      maxRequests: (items, changed) => 9 + 2 * pages(items, desk.size) + 3 * changed,
    },
    GitHub: {
      start: async () => await startGithub(repository.given),
      // The repository; issues, comments, releases and discussions; of each changed one the thread, in two parts.
      maxRequests: (items, changed) => 8 + 4 * pages(items, repository.size) + 4 * changed,
    },
    GitLab: {
      start: async () => await startGitlab(repository.given),
      // The project, what strangers see, the team, the wiki, two lists of issues; of each changed issue the notes.
      maxRequests: (items, changed) => 7 + 2 * pages(items, repository.size) + 3 * changed,
    },
    'Google Drive': {
      start: async () => await startGoogleDrive(drive.given),
      // Roots, shortcuts, drives; lists and changes; of each changed file its folders and its text.
      maxRequests: (items, changed) => 12 + 2 * pages(items, drive.size) + 6 * changed,
    },
    'Help Scout': {
      start: async () => await startHelpScout(desk.given),
      maxRequests: (items, changed) => 9 + 2 * pages(items, desk.size) + 3 * changed,
    },
    Intercom: {
      start: async () => await startIntercom(desk.given),
      maxRequests: (items, changed) => 9 + 2 * pages(items, desk.size) + 3 * changed,
    },
    Jira: {
      start: startJira,
      // Changes and list; the changed issues of both, and those that are missing.
      maxRequests: (items, changed) => 6 + 2 * pages(items, 40) + 2 * changed,
    },
    Notion: {
      start: startNotion,
      // Of each changed page: the page, its blocks, the blocks of its list.
      maxRequests: (items, changed) => 4 + 2 * pages(items, 100) + 4 * changed,
    },
    S3: {
      start: startS3,
      // One list.
      maxRequests: (items, changed) => 2 + pages(items, 1_000) + 2 * changed,
    },
    SharePoint: {
      start: async () => await startGraph(graph.given),
      // The library; its pages, and permissions in parts of 20; of each change: its folders and the file.
      maxRequests: (items, changed) => 8 + 2 * pages(items + 30, Math.min(graph.size, 20)) + 6 * changed,
    },
    'Slack channels': {
      start: startSlackChannels,
      // Channels, who the app is; the histories of both, to find changes and to find what is gone; each changed thread.
      maxRequests: (items, changed) => 10 + 4 * pages(items, 200) + 3 * changed,
    },
    Zendesk: {
      start: async () => await startZendesk(isSmall ? { exportSize: 7 } : {}),
      // Sections, categories, the export, the list; the items that the export does not have; of each its files, and one of them.
      maxRequests: (items, changed) =>
        4 + pages(items, 100) + pages(changed, isSmall ? 7 : 1_000) + 4 * changed + 6,
    },
    'Zendesk, without an account': {
      start: async () => await startZendesk({ isAnonymous: true }),
      maxRequests: (items, changed) => 4 + pages(items, 100) + 4 * changed + 6,
    },
  }
}
