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

declare module 'virtual:settings-schema' {
  /** What the settings of an institution may be (JSON Schema), as the contract declares it. The build makes it. */
  const schema: object
  export default schema
}

/** A style sheet of a screen, which comes with its script. */
declare module '*.css'
