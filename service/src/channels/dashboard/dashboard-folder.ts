import { openBuiltFolder, type BuiltFolderDeps } from '../../platform/files/built-folder.ts'

/** The folder of the built dashboard. Builds it if that has to be done. */
export const openDashboardFolder = async (deps: BuiltFolderDeps): Promise<string> =>
  await openBuiltFolder(
    {
      name: 'the dashboard',
      folder: 'dashboard/dist',
      marker: 'index.html',
      builder: 'tools/build-dashboard.ts',
      sources: [
        'dashboard/src',
        'dashboard/index.html',
        'dashboard/build.ts',
        'dashboard/package.json',
        'contract/src',
        'sdk/src',
        'widget/src/markdown',
      ],
    },
    deps,
  )
