import { CommandFailure, EXIT, type CommandInput } from './command.ts'
import { namedForShell } from './typed-command.ts'
import { oneLine } from './printable.ts'

/**
 * Has the person write the exact name of what is to be deleted: at the terminal, or with `--confirm` where nobody sits there.
 *
 * @throws CommandFailure where it is another name, or none
 */
export async function confirmName(
  { options, terminal }: Pick<CommandInput, 'options' | 'terminal'>,
  what: { id: string; name: string },
  takesAway: string,
): Promise<void> {
  const given =
    options['confirm'] ??
    (await terminal.ask(
      `This deletes "${oneLine(what.name)}" for good${takesAway}.\nWrite its name to go on: `,
    ))
  if (typeof given !== 'string')
    throw new CommandFailure(
      EXIT.usage,
      `Deleting "${oneLine(what.name)}" is for good${takesAway}. Give its exact name with --confirm.`,
      { hint: `--confirm ${namedForShell(what)}` },
    )
  if (given.trim() === what.name || given.trim() === what.id) return
  throw new CommandFailure(
    EXIT.validation,
    `"${oneLine(given.trim())}" is not its name: nothing was deleted.`,
  )
}
