/** Where what an operator should know is said. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}
