import { CommandFailure, EXIT, type CommandInput } from './command.ts'

/** A whole number that an option gives, or undefined where the option is not there. @throws CommandFailure */
export function numberOption(
  { options }: Pick<CommandInput, 'options'>,
  name: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const number = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : Number.NaN
  if (number >= least && number <= most) return number
  throw new CommandFailure(
    EXIT.usage,
    `--${name} must be a whole number from ${least} to ${most.toLocaleString('en')}.`,
    { hint: `--${name} ${least}` },
  )
}
