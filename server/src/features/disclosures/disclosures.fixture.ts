import assert from 'node:assert/strict'
import type { Caller } from '../../testing/fixtures/client.ts'

/** An entry as it is told. */
export interface Entry {
  id: string
  operation: string
  surface: string
  recordType: string
  fieldGroup: string
  recordIds: string[]
  count: number
  filter: Record<string, unknown> | null
  actor: { type: string; id: string | null; name: string }
  requestId: string | null
}

/** The disclosures once there are as many as are waited for: they are written behind the answers. */
export async function disclosures(api: Caller, query: string, min: number): Promise<Entry[]> {
  const end = performance.now() + 20_000
  for (;;) {
    const { status, body, text } = await api.get(`/disclosures?limit=100${query}`)
    assert.equal(status, 200, text)
    if (body.data.length >= min) return body.data
    assert.ok(performance.now() < end, `there are ${body.data.length} disclosures of ${min}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
