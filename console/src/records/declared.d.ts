declare module 'virtual:declared-types' {
  import type { RecordType } from '@matricula/contract/record-types'
  import type { RecordView } from '@matricula/contract/record-views'

  /** Loads what is declared of each record type, with its view where it has one. The build makes it. */
  export const declaredTypes: Readonly<
    Record<
      string,
      () => Promise<{
        readonly default: RecordType & { readonly view?: RecordView }
        /** What its labels are called in the languages other than English. */
        readonly names: Readonly<Record<'es' | 'pt', Readonly<Record<string, string>>>>
      }>
    >
  >
}

/** A style sheet of a screen, which comes with its script. */
declare module '*.css'
