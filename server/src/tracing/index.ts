export {
  currentTracing,
  type OpenSpan,
  outgoingTrace,
  traced,
  tracedStatement,
  traceWith,
} from './tracing.ts'
