import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, register } from 'prom-client'

/** The metrics of one process, as they are sent between processes. */
type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[]

/** A request for metrics between the processes of one service, and its response. */
type Message =
  | { readonly metricsRequest: number }
  | { readonly metricsOfWorker: number; readonly metrics: ProcessMetrics }
  | { readonly metricsOfService: number; readonly text: string }

/** How long the primary process waits for a worker, in milliseconds, before it leaves it out. */
const timeoutMs = 1_000

const pending = new Map<number, (text: string) => void>()
let lastRequestId = 0

/** The metrics in the Prometheus text format: in a worker, those of all processes. */
export function metricsText(): Promise<string> {
  if (!cluster.isWorker) return register.metrics()
  lastRequestId += 1
  const requestId = lastRequestId
  return new Promise((resolve) => {
    pending.set(requestId, resolve)
    process.send?.({ metricsRequest: requestId } satisfies Message)
  })
}

/** The metrics of this process; empty where they cannot be read, so that the others are still exported. */
function getOwnMetrics(): Promise<ProcessMetrics> {
  return (register.getMetricsAsJSON() as Promise<ProcessMetrics>).catch(() => [])
}

/** In a worker: sends its metrics to the primary process and receives the aggregated text. */
export function receiveMetrics(): void {
  process.on('message', async (message: Message | string) => {
    if (typeof message === 'string') return // not a message of this module
    if ('metricsRequest' in message) {
      const metrics = await getOwnMetrics()
      process.send?.({ metricsOfWorker: message.metricsRequest, metrics: metrics } satisfies Message)
    } else if ('metricsOfService' in message) {
      pending.get(message.metricsOfService)?.(message.text)
      pending.delete(message.metricsOfService)
    }
  })
}

/** In the primary process: responds to the workers with the aggregated metrics of all processes. */
export function serveMetrics(): void {
  let lastRound = 0
  const pendingRounds = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>()
  const requestWorkers = (): Promise<ProcessMetrics[]> => {
    lastRound += 1
    const requestId = lastRound
    const pendingWorkers = new Set(Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []))
    const responses: ProcessMetrics[] = []
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        pendingRounds.delete(requestId)
        resolve(responses)
      }
      const timer = setTimeout(end, timeoutMs)
      pendingRounds.set(requestId, (worker, metrics) => {
        if (!pendingWorkers.delete(worker)) return
        responses.push(metrics)
        if (pendingWorkers.size === 0) end()
      })
      for (const worker of pendingWorkers) worker.send({ metricsRequest: requestId } satisfies Message, () => {})
    })
  }
  cluster.on('message', async (worker, message: Message) => {
    if ('metricsOfWorker' in message) return pendingRounds.get(message.metricsOfWorker)?.(worker, message.metrics)
    if (!('metricsRequest' in message)) return
    const [own, others] = await Promise.all([getOwnMetrics(), requestWorkers()])
    const text = await AggregatorRegistry.aggregate([own, ...others]).metrics()
    if (worker.isConnected())
      worker.send({ metricsOfService: message.metricsRequest, text } satisfies Message, () => {})
  })
}
