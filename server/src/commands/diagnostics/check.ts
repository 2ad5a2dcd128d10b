/** One finding of `matricula doctor`, with what to do where something is wrong. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly detail: string
}
