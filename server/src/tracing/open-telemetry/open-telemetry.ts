import {
  type Context,
  context,
  diag,
  SpanKind as Kind,
  propagation,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { OpenSpan, SpanKind, Tracing } from '../tracing.ts'

const kinds: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  consumer: Kind.CONSUMER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
}

/** How long the last spans may take to the collector when the service stops, in milliseconds. */
const lastMilliseconds = 3_000

/** How often the log says that the collector takes nothing, in milliseconds. */
const complainEvery = 60_000

interface TracingOptions {
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly version: string
  /** Hears, once a minute at most, that spans cannot be sent. */
  readonly onFailure: () => void
}

/**
 * Begins to send spans to a collector over OTLP, as the variables of OpenTelemetry say. Spans are gathered and sent beside the requests;
 * while nobody takes them, at most two thousand are kept and the others dropped.
 */
export async function startOpenTelemetry({ protocol, version, onFailure }: TracingOptions): Promise<Tracing> {
  let complainedAt = Number.NEGATIVE_INFINITY
  const complain = () => {
    if (performance.now() - complainedAt < complainEvery) return
    complainedAt = performance.now()
    onFailure()
  }
  const quiet = () => {}
  diag.setLogger({ error: complain, warn: quiet, info: quiet, debug: quiet, verbose: quiet })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'matricula', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(await loadExporter(protocol))],
  })
  provider.register()
  const tracer = provider.getTracer('matricula', version)

  const fail = (span: Span, code: string) => {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', code)
  }
  return {
    begin: (headers): OpenSpan => {
      const parent = propagation.extract(context.active(), headers)
      const span = tracer.startSpan('request', { kind: Kind.SERVER }, parent)
      const own: Context = trace.setSpan(parent, span)
      return {
        traceId: span.spanContext().traceId,
        within: (work) => context.with(own, work),
        end: (name, facts, failure) => {
          span.updateName(name)
          span.setAttributes(facts)
          if (failure !== null) fail(span, failure)
          span.end()
        },
      }
    },
    run: (name, kind, facts, work) => {
      const isFirst = kind === 'server' || kind === 'consumer'
      // What belongs to nothing that is traced, or to what is over, is work of the service for itself.
      if (!isFirst && trace.getActiveSpan()?.isRecording() !== true) return work()
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts, root: isFirst })
      return context.with(trace.setSpan(context.active(), span), async () => {
        try {
          return await work()
        } catch (error) {
          const { code, name: kindOfError } = error as { code?: unknown; name: string }
          fail(span, typeof code === 'string' ? code : kindOfError)
          throw error
        } finally {
          span.end()
        }
      })
    },
    outgoing: () => {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
    stop: async () => {
      let late: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        late = setTimeout(resolve, lastMilliseconds)
      })
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
      clearTimeout(late)
    },
  }
}

async function loadExporter(protocol: TracingOptions['protocol']): Promise<SpanExporter> {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
    return new OTLPTraceExporter()
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}
