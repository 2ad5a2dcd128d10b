import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, register } from 'prom-client'

/** The metrics of one process, as they travel between those of a service. */
type Told = MetricObjectWithValues<MetricValue<string>>[]

/** A question for metrics between the processes of one service, and its answer. */
type Message =
  | { readonly metricsWanted: number }
  | { readonly metricsOfWorker: number; readonly told: Told }
  | { readonly metricsOfService: number; readonly text: string }

/** How long the first process waits for a worker that says nothing, in milliseconds; then it tells of the others. */
const timeoutMs = 1_000

const open = new Map<number, (text: string) => void>()
let asked = 0

/** What the service tells of itself in the text of Prometheus: in a worker, of all its processes together. */
export function metricsText(): Promise<string> {
  if (!cluster.isWorker) return register.metrics()
  asked += 1
  const question = asked
  return new Promise((resolve) => {
    open.set(question, resolve)
    process.send?.({ metricsWanted: question } satisfies Message)
  })
}

/** What this process tells; nothing where it cannot, so that the others are told of. */
function ownMetrics(): Promise<Told> {
  return (register.getMetricsAsJSON() as Promise<Told>).catch(() => [])
}

/** In a worker: gives its own numbers to the first process, and takes its answers. */
export function receiveMetrics(): void {
  process.on('message', async (message: Message | string) => {
    if (typeof message === 'string') return // that of somebody else
    if ('metricsWanted' in message) {
      const reported = await ownMetrics()
      process.send?.({ metricsOfWorker: message.metricsWanted, told: reported } satisfies Message)
    } else if ('metricsOfService' in message) {
      open.get(message.metricsOfService)?.(message.text)
      open.delete(message.metricsOfService)
    }
  })
}

/** In the first process: answers the workers' questions with the metrics of all of them, and with its own. */
export function serveMetrics(): void {
  let round = 0
  const rounds = new Map<number, (worker: Worker, reported: Told) => void>()
  const askWorkers = (): Promise<Told[]> => {
    round += 1
    const question = round
    const waitedFor = new Set(Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []))
    const answers: Told[] = []
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        rounds.delete(question)
        resolve(answers)
      }
      const timer = setTimeout(end, timeoutMs)
      rounds.set(question, (worker, reported) => {
        if (!waitedFor.delete(worker)) return
        answers.push(reported)
        if (waitedFor.size === 0) end()
      })
      for (const worker of waitedFor) worker.send({ metricsWanted: question } satisfies Message, () => {})
    })
  }
  cluster.on('message', async (worker, message: Message) => {
    if ('metricsOfWorker' in message) return rounds.get(message.metricsOfWorker)?.(worker, message.told)
    if (!('metricsWanted' in message)) return
    const [own, others] = await Promise.all([ownMetrics(), askWorkers()])
    const text = await AggregatorRegistry.aggregate([own, ...others]).metrics()
    if (worker.isConnected()) worker.send({ metricsOfService: message.metricsWanted, text } satisfies Message, () => {})
  })
}
