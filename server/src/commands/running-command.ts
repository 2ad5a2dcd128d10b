/** What the audit tells of a command that was run: its name, and which options were given, never their values. */
interface RunningCommand {
  readonly command: string
  readonly options: readonly string[]
}

let running: RunningCommand = { command: '', options: [] }

/** Says which command this process runs. */
export function nameCommand(command: string, options: readonly string[]): void {
  running = { command, options }
}

/** The command that this process runs. */
export function runningCommand(): RunningCommand {
  return running
}
