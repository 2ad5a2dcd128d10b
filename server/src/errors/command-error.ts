/**
 * Why something that an operator asked for is not done, with what the command line then ends with: 2 for what was put in wrong,
 * 1 for what is right in itself and cannot be.
 */
export const rejections = {
  /** Words or options that the command does not take. */
  wrong_usage: 2,
  /** A value that cannot be kept, whatever there is. */
  invalid_value: 2,
  /** A file that cannot be read, or says what cannot be. */
  invalid_file: 2,
  /** A variable of the environment with a value that cannot be. */
  invalid_configuration: 2,
  /** Something that is named and not there. */
  not_found: 1,
  /** Something of this name is there already. */
  already_exists: 1,
  /** It cannot be as things are now. */
  state_conflict: 1,
  /** The database cannot be reached, or cannot be started. */
  database_unavailable: 1,
  /** The database and this version do not go together. */
  migration_refused: 1,
  /** A fault of the program. */
  internal_error: 1,
} as const

export type CommandErrorCode = keyof typeof rejections

/** Something that an operator asked for and that is not done; the message says why and what to do. */
export class CommandError extends Error {
  readonly code: CommandErrorCode

  constructor(code: CommandErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The rejection of a file that could not be read, by the code of the operating system. */
export function unreadableFile(path: string, { code }: NodeJS.ErrnoException): CommandError {
  const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  return new CommandError(
    'invalid_file',
    `The file ${path} ${reason}. Check its name, and the folder from which the command runs.`,
  )
}
