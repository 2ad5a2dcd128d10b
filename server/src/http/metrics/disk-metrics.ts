import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, register } from 'prom-client'

/** A file system that does not answer within this time, in milliseconds, is told nothing of. */
const timeoutMs = 40

/** Lets `/metrics` tell how much room is left where the data folder is, for the service's own user. */
export function observeDisk(folder: string): void {
  const gauge = (name: string, help: string, blocks: 'bavail' | 'blocks') => {
    register.removeSingleMetric(name)
    new Gauge({
      name,
      help,
      aggregator: 'max',
      async collect() {
        const late = pause(timeoutMs, null, { ref: false })
        const facts = await Promise.race([statfs(folder).catch(() => null), late])
        if (facts === null) this.remove()
        else this.set(facts[blocks] * facts.bsize)
      },
    })
  }
  gauge('matricula_data_free_bytes', 'Room that is left on the disk of DATA_DIR.', 'bavail')
  gauge('matricula_data_size_bytes', 'How large the disk of DATA_DIR is.', 'blocks')
}
