/** What a span tells beside its name. Never a value that somebody sent, a person's, or a secret. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/** `server` and `consumer` may begin a trace; the others are only told as parts of one. */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal'

/** A span that is open, of something that is no single promise. */
export interface OpenSpan {
  /** The id of its trace (W3C Trace Context), for the log. */
  readonly traceId: string
  /** Does something, and whatever follows from it, as a part of the span. */
  within(work: () => void): void
  /** Ends it; `failure` is the code of what it failed of. */
  end(name: string, facts: Facts, failure: string | null): void
}

/** What tells a collector of spans. Only `open-telemetry.ts` is one. */
export interface Tracing {
  begin(headers: Readonly<Record<string, unknown>>): OpenSpan
  run<Result>(name: string, kind: SpanKind, facts: Facts, work: () => Promise<Result>): Promise<Result>
  outgoing(): Record<string, string>
  /** Sends what is left, for some seconds at most. */
  stop(): Promise<void>
}

let active: Tracing | null = null

/** Begins to trace, or ends it with null. */
export function traceWith(tracing: Tracing | null): void {
  active = tracing
}

/** What traces, or null where nothing does. */
export function currentTracing(): Tracing | null {
  return active
}

/** Does something as a span of its own where traces are kept; else it is just done. */
export function traced<Result>(
  name: string,
  kind: SpanKind,
  facts: Facts,
  work: () => Promise<Result>,
): Promise<Result> {
  return active === null ? work() : active.run(name, kind, facts, work)
}

/** The headers that tell somebody who is called of the trace (W3C Trace Context), or none. */
export function outgoingTrace(): Record<string, string> {
  return active === null ? {} : active.outgoing()
}

/** Does something with a statement as a span, which tells the text of it and never its values. */
export function tracedStatement<Result>(
  statement: { readonly text: string },
  work: () => Promise<Result>,
): Promise<Result> {
  if (active === null) return work()
  const facts = { 'db.system.name': 'postgresql', 'db.query.text': statement.text.slice(0, 2_000) }
  return active.run('postgresql', 'client', facts, work)
}
