import { openBuiltFolder, type BuiltFolderDeps } from '../../platform/files/built-folder.ts'

/** The folder of the built widget. Builds it if that has to be done. */
export const openWidgetFolder = async (deps: BuiltFolderDeps): Promise<string> =>
  await openBuiltFolder(
    {
      name: 'the widget',
      folder: 'widget/dist',
      marker: 'files.json',
      builder: 'tools/build-widget.ts',
      sources: [
        'widget/src',
        'widget/build.ts',
        'widget/only-the-lexer.ts',
        'widget/package.json',
        'sdk/src',
        'contract/src',
      ],
    },
    deps,
  )
