import { parentPort, workerData } from 'node:worker_threads'

/** What one tenant does to the others, in a thread of its own so that it does not slow down who measures. */
export interface Noise {
  readonly kind: 'same people' | 'abandoned lists' | 'fee schedules' | 'page reads'
  readonly address: string
  readonly token: string
  readonly key: string
  /** The names of students that are changed, and of schedules that are charged. */
  readonly students: readonly string[]
  readonly schedules: readonly string[]
}

const { kind, address, token, key, students, schedules } = workerData as Noise
const counts: Record<string, number> = {}

/** Sends a request, reads its answer, and counts it by its status; one that is given up counts as that. */
async function send(path: string, init: RequestInit): Promise<void> {
  try {
    const response = await fetch(address + path, init)
    await response.arrayBuffer()
    counts[response.status] = (counts[response.status] ?? 0) + 1
  } catch {
    counts.abandoned = (counts.abandoned ?? 0) + 1
  }
}

const write = (path: string, method: string, body: object) =>
  send(path, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Runs so many clients at once, each one request after the other, until the thread is ended. */
function clients(count: number, request: (client: number, turn: number) => Promise<void>): void {
  const run = async (client: number) => {
    for (let turn = 0; ; turn += 1) await request(client, turn)
  }
  for (let client = 0; client < count; client += 1) void run(client)
}

switch (kind) {
  case 'same people':
    clients(16, (client, turn) => {
      const name = students[turn % students.length] as string
      return write(`/api/resource/Student/${encodeURIComponent(name)}`, 'PUT', { city: `City ${client} ${turn}` })
    })
    break
  case 'abandoned lists':
    clients(10, () => {
      const path = '/api/resource/Student?limit_page_length=0&fields=["*"]&order_by=student_name'
      return send(path, { headers: { authorization: key }, signal: AbortSignal.timeout(300) })
    })
    break
  case 'fee schedules':
    for (const dn of schedules) {
      void write('/api/method/run_doc_method', 'POST', { dt: 'Fee Schedule', dn, method: 'create_fees' })
    }
    break
  case 'page reads':
    clients(32, () => send('/v1/payments?limit=20', { headers: { authorization: `Bearer ${token}` } }))
    break
}
parentPort?.on('message', () => parentPort?.postMessage(counts))
