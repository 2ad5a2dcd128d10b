import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, register } from 'prom-client'

/** Timeout of a file system in milliseconds; beyond it the metric is absent. */
const timeoutMs = 40

/** Exports the free space and the size of the file system of a folder, as seen by the user of the service. */
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
  gauge('matricula_data_free_bytes', 'Free space on the disk of DATA_DIR.', 'bavail')
  gauge('matricula_data_size_bytes', 'Size of the disk of DATA_DIR.', 'blocks')
}
