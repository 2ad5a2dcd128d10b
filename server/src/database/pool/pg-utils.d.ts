/** What the published types of `pg` leave out. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as it is sent to PostgreSQL; null for SQL's null. Throws for one that has no such form. */
    readonly prepareValue: (value: unknown) => string | Buffer | null
  }
  export default utils
}
