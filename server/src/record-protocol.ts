import { feeMethods } from './features/fees/index.ts'
import { recordRegistry } from './record-definitions.ts'
import { clientReads, clientWrites, methodsByPath, type Records } from './records/protocol/index.ts'

/** Everything that the Resource and Method API reads, writes and calls. */
export const records: Records = {
  registry: recordRegistry,
  methods: methodsByPath([...clientReads, ...clientWrites, ...feeMethods]),
}
