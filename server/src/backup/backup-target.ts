/** Where backups are kept: a folder, or a part of a bucket. */
export interface BackupTarget {
  /** Keeps bytes under a name: whole or not at all. Throws `CommandError` where the name is taken. Returns how many. */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<number>
  /** The bytes of a name. Throws `CommandError` where nothing has it. */
  read(name: string): Promise<AsyncIterable<Uint8Array>>
  names(): Promise<string[]>
  remove(name: string): Promise<void>
  /** Removes what was begun under the names that are wanted and never came to its end. */
  removeUnfinished(isWanted: (name: string) => boolean): Promise<void>
}
